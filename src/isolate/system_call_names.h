// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Ravel authors
//
// System calls of x86-64 by name, for messages.
#pragma once

namespace ravel {

// nullptr: unknown.
const char* system_call_name(long number);

}  // namespace ravel
