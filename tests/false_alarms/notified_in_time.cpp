// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Ravel authors
//
// An event loop that notes when it was notified: a test with generous limits of time. Threads that were slower than
// another one sleeps would fail it, without a defect.
//
// expect: clean
#include <poll.h>
#include <sys/eventfd.h>
#include <unistd.h>

#include <cassert>
#include <chrono>
#include <cstdint>
#include <mutex>
#include <thread>
#include <utility>

namespace {

using Clock = std::chrono::steady_clock;
using std::chrono::milliseconds;

constexpr int kNotifications = 3;
constexpr int kSteps = 30;  // of the loop, for one notification

std::mutex mutex;
int active = 0;

void notify(int descriptor) {
  const std::lock_guard<std::mutex> lock(mutex);
  ++active;
  const std::uint64_t one = 1;
  assert(write(descriptor, &one, sizeof one) == sizeof one);
}

int take_active() {
  const std::lock_guard<std::mutex> lock(mutex);
  return std::exchange(active, 0);
}

}  // namespace

int main() {
  const int descriptor = eventfd(0, EFD_NONBLOCK);
  const Clock::time_point start = Clock::now();
  std::thread notifier([descriptor] {
    for (int i = 0; i < kNotifications; ++i) {
      std::this_thread::sleep_for(milliseconds(100));
      notify(descriptor);
    }
  });
  for (int seen = 0; seen < kNotifications;) {
    pollfd one{descriptor, POLLIN, 0};
    assert(poll(&one, 1, -1) == 1);
    std::uint64_t count = 0;
    if (read(descriptor, &count, sizeof count) != sizeof count) continue;
    int taken = 0;
    for (int step = 0; step < kSteps; ++step) taken += take_active();
    const auto late = Clock::now() - start - milliseconds(100) * (seen + taken);
    assert(taken == 0 || (late >= milliseconds(0) && late <= milliseconds(50)));
    seen += taken;
  }
  notifier.join();
  close(descriptor);
}
