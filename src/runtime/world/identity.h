// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Ravel authors
//
// Who the program thinks it is: process and thread numbers that are the same in every execution. They lie above any
// number the kernel gives out, so that one that slips through to the kernel meets no process.
#pragma once

#include <sys/types.h>
#include <cstdint>

namespace ravel::rt {

inline constexpr pid_t kVirtualProcess = 5'000'000;
inline constexpr pid_t kVirtualParent = kVirtualProcess - 1;
inline constexpr int kVirtualProcessors = 4;

// False in a child that shares our memory (vfork) and in one that was forked: they see the kernel's numbers.
bool is_controlled_process();

pid_t virtual_thread_number();  // of the running thread; main's is the process's
// The kernel's number for one the program has: the process, or any thread of it. Others are given back as they are.
pid_t kernel_process(pid_t number);
bool is_own_thread(pid_t number);

}  // namespace ravel::rt
