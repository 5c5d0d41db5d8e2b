// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Ravel authors
//
// sleep: one sleep.
#include <time.h>

#include "free/noise/seedings.h"
#include "runtime/platform/raw.h"

namespace ravel::fr {

void sleep_noise(std::uint32_t microseconds) {
  timespec time{static_cast<time_t>(microseconds / 1'000'000), static_cast<long>(microseconds % 1'000'000) * 1000};
  rt::raw_syscall(SYS_nanosleep, reinterpret_cast<long>(&time), 0);
}

}  // namespace ravel::fr
