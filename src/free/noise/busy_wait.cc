// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Ravel authors
//
// busyWait: a loop that gives nothing up.
#include "free/noise/seedings.h"

namespace ravel::fr {

void busy_wait_noise(std::uint32_t iterations) {
  for (std::uint32_t i = 0; i < iterations; ++i) __builtin_ia32_pause();
}

}  // namespace ravel::fr
