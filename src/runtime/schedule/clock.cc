// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Ravel authors
#include "runtime/schedule/clock.h"

#include "runtime/state/state.h"

namespace ravel::rt {

std::uint64_t g_now = 0;
std::uint64_t g_next_timer = kNever;

namespace {
constexpr std::uint64_t kSecond = 1'000'000'000;
// Every execution begins on 1 January 2024, 1000 s after boot.
constexpr std::uint64_t kWallStart = 1'704'067'200 * kSecond;
constexpr std::uint64_t kBootStart = 1'000 * kSecond;
std::uint64_t looks = 0;
std::uint64_t looked = 0;

std::uint64_t start_of(clockid_t clock) {
  switch (clock) {
    case CLOCK_REALTIME:
    case CLOCK_REALTIME_COARSE:
    case CLOCK_TAI:
      return kWallStart;
    case CLOCK_PROCESS_CPUTIME_ID:
    case CLOCK_THREAD_CPUTIME_ID:
      return 0;
    default:
      return kBootStart;
  }
}
}  // namespace

void advance_clock_to(std::uint64_t when) {
  if (when > g_now && when != ~std::uint64_t{0}) g_now = when;
  g.block->result.virtual_ns = g_now;
}

void advance_clock_by(std::uint64_t nanoseconds) {
  looked += nanoseconds;
  advance_clock_to(g_now + nanoseconds < g_now ? g_now : g_now + nanoseconds);
}

std::uint64_t time_of_looks() {
  return looked;
}

std::uint64_t clock_looks() {
  return looks;
}

timespec clock_value(clockid_t clock, std::uint64_t when) {
  ++looks;
  const std::uint64_t total = start_of(clock) + when;
  return {static_cast<time_t>(total / kSecond), static_cast<long>(total % kSecond)};
}

std::uint64_t virtual_deadline(clockid_t clock, const timespec& when) {
  if (when.tv_sec < 0) return 0;
  const std::uint64_t total = nanoseconds_of(when);
  const std::uint64_t start = start_of(clock);
  return total > start ? total - start : 0;
}

std::uint64_t nanoseconds_of(const timespec& duration) {
  if (duration.tv_sec < 0) return 0;
  const auto seconds = static_cast<std::uint64_t>(duration.tv_sec);
  if (seconds > (~std::uint64_t{0} >> 1) / kSecond)
    return ~std::uint64_t{0} >> 1;  // some programs wait "for ever" like this
  return seconds * kSecond + static_cast<std::uint64_t>(duration.tv_nsec);
}

bool valid_timespec(const timespec* t) {
  return t != nullptr && t->tv_nsec >= 0 && t->tv_nsec < static_cast<long>(kSecond);
}

}  // namespace ravel::rt
