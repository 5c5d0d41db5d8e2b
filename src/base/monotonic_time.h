// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Ravel authors
//
// Real time inside the tested process, whose own clocks are virtual and whose time-stamp counter may be trapped: by a
// system call of its own.
#pragma once

#include <sys/syscall.h>
#include <time.h>

#include <cstdint>

namespace ravel {

inline std::uint64_t monotonic_nanoseconds() {
  timespec now{};
  long result = SYS_clock_gettime;
  asm volatile("syscall" : "+a"(result) : "D"(static_cast<long>(CLOCK_MONOTONIC)), "S"(&now) : "rcx", "r11", "memory");
  return static_cast<std::uint64_t>(now.tv_sec) * 1'000'000'000u + static_cast<std::uint64_t>(now.tv_nsec);
}

}  // namespace ravel
