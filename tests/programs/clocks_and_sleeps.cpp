// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Ravel authors
//
// Sleeps and clocks: time passes by as much as was slept, for every clock, and never backwards.
//
// expect: clean
// operations: sleep,wake-up
#include <sys/time.h>
#include <time.h>
#include <unistd.h>

#include <cassert>
#include <chrono>
#include <thread>

namespace {

using namespace std::chrono_literals;

template <typename Sleep>
void takes_at_least(std::chrono::nanoseconds duration, Sleep sleep) {
  const auto steady = std::chrono::steady_clock::now();
  const auto system = std::chrono::system_clock::now();
  sleep();
  assert(std::chrono::steady_clock::now() - steady >= duration);
  assert(std::chrono::system_clock::now() - system >= duration);
}

}  // namespace

int main() {
  std::thread other([] { takes_at_least(50ms, [] { std::this_thread::sleep_for(50ms); }); });
  takes_at_least(20ms, [] { std::this_thread::sleep_for(20ms); });
  takes_at_least(20ms, [] { std::this_thread::sleep_until(std::chrono::steady_clock::now() + 20ms); });
  takes_at_least(10ms, [] { usleep(10'000); });
  takes_at_least(10ms, [] {
    timespec duration{0, 10'000'000};
    assert(nanosleep(&duration, nullptr) == 0);
  });
  takes_at_least(10ms, [] {
    timespec until;
    clock_gettime(CLOCK_MONOTONIC, &until);
    until.tv_nsec += 10'000'000;
    if (until.tv_nsec >= 1'000'000'000) {
      until.tv_nsec -= 1'000'000'000;
      until.tv_sec += 1;
    }
    assert(clock_nanosleep(CLOCK_MONOTONIC, TIMER_ABSTIME, &until, nullptr) == 0);
  });
  timeval day;
  assert(gettimeofday(&day, nullptr) == 0);
  assert(time(nullptr) >= day.tv_sec);
  other.join();
  return 0;
}
