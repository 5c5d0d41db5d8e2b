// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Ravel authors
//
// synchYield: yields while the shared monitor is held, so that disturbed threads come one after the other.
#include "free/noise/seedings.h"

namespace ravel::fr {

void synch_yield_noise(std::uint32_t times) {
  g_monitor.lock();
  yield_noise(times);
  g_monitor.unlock();
}

}  // namespace ravel::fr
