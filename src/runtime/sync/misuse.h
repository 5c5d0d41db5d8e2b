// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Ravel authors
//
// Undefined use of a synchronisation object ends the execution as a finding; what POSIX defines to be an error is
// returned to the program instead.
#pragma once

#include "model/event.h"
#include "semantics/sync_result.h"

namespace ravel::rt {

// "<object> <what the program did>", at the place where it did it.
[[noreturn]] void finish_misuse(const char* what, LocationId location);

// The usual wording for a failed release or destruction of a `kind` ("mutex", "rwlock", ...).
[[noreturn]] void finish_misuse(const char* kind, SyncResult result, bool destroying, LocationId location);

}  // namespace ravel::rt
