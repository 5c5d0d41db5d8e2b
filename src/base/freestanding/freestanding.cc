// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Ravel authors
//
// What standard headers expect from libstdc++ and the runtime library does without (-nostdlib++). All of it is a way to
// fail: the containers we use are bounded before they are asked, nothing is ever deleted through a base class.
//
// The symbols are defined under their mangled names as hidden C functions: the tested program has the real ones, and
// must never bind to these (hide_std.map does the same for inline functions of the headers). operator delete is not
// here: runtime/memory supplies it. Only for libravel_rt.so; the tool and the tests link the real library.
#include <cstddef>

#include "base/invariant.h"

#define RAVEL_HIDDEN(name) __attribute__((visibility("hidden"), used)) void name() __asm__(#name)

namespace {
[[noreturn]] void unexpected(const char* what) {
  ravel::invariant_failed({"unreachable", what, "freestanding.cc", 0});
}
}  // namespace

extern "C" {

#define RAVEL_FAILS(name, why) \
  RAVEL_HIDDEN(name);          \
  void name() {                \
    unexpected(why);           \
  }

// std::__throw_*(const char*)
RAVEL_FAILS(_ZSt20__throw_length_errorPKc, "containers are bounded")
RAVEL_FAILS(_ZSt19__throw_logic_errorPKc, "no logic errors are thrown inside")
RAVEL_FAILS(_ZSt20__throw_out_of_rangePKc, "no range-checked access is used inside")
RAVEL_FAILS(_ZSt24__throw_out_of_range_fmtPKcz, "no range-checked access is used inside")
RAVEL_FAILS(_ZSt24__throw_invalid_argumentPKc, "no invalid arguments are passed inside")
RAVEL_FAILS(_ZSt25__throw_bad_function_callv, "no empty functions are called inside")
RAVEL_FAILS(_ZSt17__throw_bad_allocv, "sizes are bounded")
RAVEL_FAILS(_ZSt28__throw_bad_array_new_lengthv, "sizes are bounded")
RAVEL_FAILS(_ZSt20__throw_system_errori, "no locks of the standard library are used inside")
RAVEL_FAILS(_ZSt21__glibcxx_assert_failPKciS0_S0_, "preconditions of the standard library hold")
RAVEL_FAILS(_ZSt9terminatev, "nothing terminates inside")

RAVEL_FAILS(__cxa_pure_virtual, "objects are complete before they are called")
RAVEL_FAILS(__cxa_deleted_virtual, "no deleted function is called")

// std::pmr::get_default_resource(): every container is given its memory.
RAVEL_FAILS(_ZNSt3pmr20get_default_resourceEv, "memory is given, never taken from a default")
// Compilers guess the type of a memory_resource and inline the call; the guess is checked and never right.
RAVEL_FAILS(_ZNSt3pmr25monotonic_buffer_resource13_M_new_bufferEmm, "no monotonic buffer is used inside")
RAVEL_FAILS(_ZNSt3pmr19new_delete_resourceEv, "memory is given, never taken from a default")

// std::pmr::memory_resource::~memory_resource(): the base has nothing to destroy.
RAVEL_HIDDEN(_ZNSt3pmr15memory_resourceD2Ev);
void _ZNSt3pmr15memory_resourceD2Ev() {}
RAVEL_HIDDEN(_ZNSt3pmr15memory_resourceD1Ev);
void _ZNSt3pmr15memory_resourceD1Ev() {}
RAVEL_FAILS(_ZNSt3pmr15memory_resourceD0Ev, "nothing is deleted inside")
// Its vtable: offset, type, two destructors, allocate, deallocate, is_equal. In force only within constructors.
extern __attribute__((visibility("hidden"))) void* const ravel_memory_resource_table[7] __asm__(
    "_ZTVNSt3pmr15memory_resourceE");
void* const ravel_memory_resource_table[7] = {nullptr,
                                              nullptr,
                                              reinterpret_cast<void*>(&_ZNSt3pmr15memory_resourceD1Ev),
                                              reinterpret_cast<void*>(&_ZNSt3pmr15memory_resourceD0Ev),
                                              reinterpret_cast<void*>(&__cxa_pure_virtual),
                                              reinterpret_cast<void*>(&__cxa_pure_virtual),
                                              reinterpret_cast<void*>(&__cxa_pure_virtual)};

}  // extern "C"
