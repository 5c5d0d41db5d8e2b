// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Ravel authors
//
// yield: the thread gives up the processor a number of times.
#include "free/noise/seedings.h"
#include "runtime/platform/raw.h"

namespace ravel::fr {

void yield_noise(std::uint32_t times) {
  for (std::uint32_t i = 0; i < times; ++i) rt::raw_syscall(SYS_sched_yield);
}

}  // namespace ravel::fr
