// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Ravel authors
//
// Code addresses as LocationIds (module slot and offset). Modules are listed once, before the first execution, in link
// order; code loaded later is added when it is.
#pragma once

#include <cstdint>

#include "model/tables.h"
#include "runtime/platform/hidden.h"

namespace ravel::rt {

void list_modules();
// After dlopen and dlclose.
void list_loaded_modules();
// How many there were at the start: slots beyond are of code that was loaded later.
unsigned linked_modules();

// Module 0, where almost all addresses of code lie.
struct ModuleRange {
  std::uintptr_t base = 0;
  std::uintptr_t bytes = 0;  // at most what a LocationId can hold
};
RAVEL_HIDDEN extern ModuleRange g_executable;

LocationId location_in_library(std::uintptr_t pc);
inline LocationId location_of(std::uintptr_t pc) {
  const std::uintptr_t offset = pc - g_executable.base;
  return offset < g_executable.bytes ? static_cast<LocationId>(offset) : location_in_library(pc);
}

// The place in the user's code from which a library function was called: for a return address inside the C or C++
// library, the first caller outside of them, else the address itself. `frame` is __builtin_frame_address(0) of the
// interceptor.
LocationId user_location_of_library(std::uintptr_t pc, void* frame);
inline LocationId user_location(std::uintptr_t pc, void* frame) {
  const std::uintptr_t offset = pc - g_executable.base;
  return offset < g_executable.bytes ? static_cast<LocationId>(offset) : user_location_of_library(pc, frame);
}

bool is_runtime_code(std::uintptr_t pc);
// Of the program or a library that is not the C or C++ library.
bool is_user_code(std::uintptr_t pc);

// The exception unwinder takes locks of its own: they are the real ones, else each throw would be a synchronisation of
// the program.
bool is_unwinder(const void* pc);

// The C library and the loader take locks of their own, which only the kernel sees: a thread must not lose its turn
// inside them, since another one that wants the same lock would block the whole process.
bool is_c_library(std::uintptr_t pc);

// Data of a module: its slot, or -1 for memory of no module. `offset` is relative to the module's base.
int data_module(std::uintptr_t address, std::uint32_t& offset);

}  // namespace ravel::rt

// The caller of an interceptor, in the user's code. A macro, since both builtins must see the interceptor's own frame.
#define RAVEL_CALLER \
  ::ravel::rt::user_location(reinterpret_cast<std::uintptr_t>(__builtin_return_address(0)), __builtin_frame_address(0))
