// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Ravel authors
//
// The machine-dependent part of a switch between virtual threads (arch/<machine>/switch.S).
#pragma once

#include <cstdint>

extern "C" {
// Saves the running context at *save_sp and resumes the one saved at load_sp under the thread pointer fs_base.
void ravel_switch(void** save_sp, void* load_sp, std::uint64_t fs_base, int use_wrfsbase);
void ravel_fiber_entry();
}

namespace ravel::rt {

// Builds a saved context on the stack below `top` that starts entry(argument) when first resumed. Never returns from
// entry. The floating-point environment (rounding, exceptions) is that of the caller, as POSIX has it for new threads.
void* make_context(void* top, void (*entry)(void*), void* argument);

std::uint64_t read_fs_base();
void write_fs_base(std::uint64_t value);
// True when the rdfsbase/wrfsbase instructions may be used in user mode; asked once, from AT_HWCAP2.
bool has_fsgsbase();
// From now on as if there were none: for tests on machines that have it.
void forbid_fsgsbase();

}  // namespace ravel::rt
