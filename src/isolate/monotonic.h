// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Ravel authors
//
// Real time, for deadlines and hangs.
#pragma once

#include <time.h>

#include <cstdint>

#include "runtime/platform/raw.h"

namespace ravel {

inline std::uint64_t now_ms() {
  timespec t = {};
  rt::raw_syscall(SYS_clock_gettime, CLOCK_MONOTONIC, reinterpret_cast<long>(&t));
  return static_cast<std::uint64_t>(t.tv_sec) * 1000 + static_cast<std::uint64_t>(t.tv_nsec) / 1'000'000;
}

}  // namespace ravel
