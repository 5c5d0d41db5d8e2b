// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Ravel authors
#include "driver/end_watch.h"

#include <poll.h>
#include <sys/syscall.h>
#include <unistd.h>

#include <algorithm>
#include <vector>

namespace ravel {

int open_end_of(pid_t process) {
  return static_cast<int>(syscall(SYS_pidfd_open, process, 0));
}

std::chrono::milliseconds pause_after(std::chrono::nanoseconds elapsed) {
  constexpr std::chrono::milliseconds kLeast{2};
  constexpr std::chrono::milliseconds kMost{20};
  return std::clamp(std::chrono::duration_cast<std::chrono::milliseconds>(elapsed / 20), kLeast, kMost);
}

void wait_for_end(std::span<const int> ends, std::chrono::milliseconds most) {
  std::vector<pollfd> waited;
  for (const int end : ends) waited.push_back({end, POLLIN, 0});
  ::poll(waited.data(), waited.size(), static_cast<int>(most.count()));
}

}  // namespace ravel
