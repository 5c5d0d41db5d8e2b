// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Ravel authors
//
// Descriptors of timers follow virtual time: an hour is over at once when nobody else can run, and a bounded amount of
// work ends a short one.
//
// expect: clean
// iterations: 50
// operations: io-read,io-wait
#include <poll.h>
#include <sys/timerfd.h>
#include <unistd.h>

#include <atomic>
#include <cassert>
#include <cstdint>
#include <thread>

namespace {

std::atomic<bool> stop{false};
std::atomic<long> rounds{0};

std::uint64_t read_count(int timer) {
  std::uint64_t count = 0;
  const ssize_t got = read(timer, &count, sizeof count);
  assert(got == sizeof count);
  return count;
}

}  // namespace

int main() {
  const int hour = timerfd_create(CLOCK_MONOTONIC, TFD_CLOEXEC);
  itimerspec setting = {{0, 0}, {3600, 0}};
  assert(timerfd_settime(hour, 0, &setting, nullptr) == 0);
  itimerspec left = {};
  assert(timerfd_gettime(hour, &left) == 0 && left.it_value.tv_sec >= 3500);
  pollfd waiting = {hour, POLLIN, 0};
  assert(poll(&waiting, 1, 10) == 0);
  assert(poll(&waiting, 1, -1) == 1);
  assert(read_count(hour) == 1);
  close(hour);

  const int tick = timerfd_create(CLOCK_MONOTONIC, TFD_CLOEXEC);
  setting = {{0, 1'000'000}, {0, 1'000'000}};
  assert(timerfd_settime(tick, 0, &setting, nullptr) == 0);
  std::thread worker([] {
    while (!stop.load()) ++rounds;
  });
  for (int i = 0; i < 3; ++i) assert(read_count(tick) >= 1);
  stop = true;
  worker.join();
  close(tick);
  return 0;
}
