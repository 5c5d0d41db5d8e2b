// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Ravel authors
#include "free/noise/timeout_tamper.h"

namespace ravel::fr {

namespace {

constexpr std::uint64_t kBillion = 1'000'000'000;

std::uint64_t nanoseconds(const timespec& time) {
  constexpr std::uint64_t kMost = std::uint64_t{1} << 33;  // seconds: 272 years
  const auto seconds = static_cast<std::uint64_t>(time.tv_sec);
  return (seconds < kMost ? seconds : kMost) * kBillion + static_cast<std::uint64_t>(time.tv_nsec);
}

timespec as_time(std::uint64_t ns) {
  return {static_cast<time_t>(ns / kBillion), static_cast<long>(ns % kBillion)};
}

}  // namespace

bool tampers() {
  return t_self != nullptr && g_block->request.noise.on && g_block->request.noise.tampers;
}

bool is_valid_time(const timespec* time) {
  return time != nullptr && time->tv_sec >= 0 && time->tv_nsec >= 0 && time->tv_nsec < static_cast<long>(kBillion);
}

std::uint64_t shortened(std::uint64_t time) {
  return tampers() ? t_state.random.below(time + 1) : time;
}

timespec shortened(const timespec& time) {
  return as_time(shortened(nanoseconds(time)));
}

timespec shortened_until(clockid_t clock, const timespec& then) {
  timespec now{};
  if (clock_gettime(clock, &now) != 0 || nanoseconds(now) >= nanoseconds(then)) return then;
  return as_time(nanoseconds(now) + shortened(nanoseconds(then) - nanoseconds(now)));
}

}  // namespace ravel::fr
