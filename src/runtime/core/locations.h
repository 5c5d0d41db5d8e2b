// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Ravel authors
//
// Code addresses as LocationIds (module slot and offset). Modules are listed once, before the first execution, in link
// order; code loaded later is added when it is.
#pragma once

#include <cstdint>

#include "model/tables.h"

namespace ravel::rt {

void list_modules();
// After dlopen and dlclose.
void list_loaded_modules();
// How many there were at the start: slots beyond are of code that was loaded later.
unsigned linked_modules();

LocationId location_of(std::uintptr_t pc);

// The place in the user's code from which a library function was called: for a return address inside the C or C++
// library, the first caller outside of them, else the address itself. `frame` is __builtin_frame_address(0) of the
// interceptor.
LocationId user_location(std::uintptr_t pc, void* frame);

// The exception unwinder takes locks of its own: they are the real ones, else each throw would be a synchronisation of
// the program.
bool is_unwinder(const void* pc);

// Data of a module: its slot, or -1 for memory of no module. `offset` is relative to the module's base.
int data_module(std::uintptr_t address, std::uint32_t& offset);

}  // namespace ravel::rt

// The caller of an interceptor, in the user's code. A macro, since both builtins must see the interceptor's own frame.
#define RAVEL_CALLER \
  ::ravel::rt::user_location(reinterpret_cast<std::uintptr_t>(__builtin_return_address(0)), __builtin_frame_address(0))
