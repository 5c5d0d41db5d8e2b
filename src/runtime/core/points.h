// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Ravel authors
//
// Which plain accesses are scheduling points: none, those at listed locations (racy, shared), or all. The list comes
// with the plan.
#pragma once

#include "model/event.h"

namespace ravel::rt {

void begin_points();
bool is_plain_point(LocationId location);

}  // namespace ravel::rt
