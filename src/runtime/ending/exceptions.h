// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Ravel authors
//
// What is known of an exception that nobody catches: its type, what() and where it was thrown.
#pragma once

#include <cstddef>

#include "model/event.h"

namespace ravel::rt {

void note_throw(void* object, void* type, LocationId location);

// "type: what()" of the exception being handled; false when there is none (abort was called for another reason).
bool describe_uncaught_exception(char* buffer, std::size_t size, LocationId& thrown_at);

}  // namespace ravel::rt
