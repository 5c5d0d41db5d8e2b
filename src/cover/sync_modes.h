// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Ravel authors
//
// The modes of the metric `sync' by primitive: together they are the full coverage of a place.
#pragma once

#include <span>

#include "model/coverage.h"
#include "model/operation.h"

namespace ravel {

// Empty: no synchronisation operation. Whether a wait can time out is only known when it did.
std::span<const CoverWord> sync_modes_of(OpKind kind);

}  // namespace ravel
