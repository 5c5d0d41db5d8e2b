// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Ravel authors
//
// How long the process has run, what it has used and what the machine has left: times follow virtual time, the rest is
// the same in every execution.
#include <sys/resource.h>
#include <sys/sysinfo.h>
#include <sys/times.h>
#include <unistd.h>

#include "runtime/intercept/export.h"
#include "runtime/schedule/clock.h"
#include "runtime/sync/time_wait.h"
#include "runtime/world/identity.h"

using namespace ravel;
using namespace ravel::rt;

namespace {

constexpr std::uint64_t kSecond = 1'000'000'000;
constexpr std::uint64_t kTick = kSecond / 100;  // CLK_TCK is 100 on Linux
constexpr long kResidentKilobytes = 64 << 10;
constexpr unsigned long kPageBytes = 4096;

}  // namespace

RAVEL_EXPORT clock_t times(tms* result) noexcept {
  RAVEL_PASS_THROUGH(times, result);
  const auto ticks = static_cast<clock_t>(read_clock(RAVEL_CALLER) / kTick);
  if (result != nullptr) *result = {ticks, 0, 0, 0};
  return ticks;
}

RAVEL_EXPORT int getrusage(int who, rusage* result) noexcept {
  RAVEL_PASS_THROUGH(getrusage, who, result);
  if (who == RUSAGE_CHILDREN) return real().getrusage(who, result);
  const std::uint64_t now = read_clock(RAVEL_CALLER);
  *result = {};
  result->ru_utime = {static_cast<time_t>(now / kSecond), static_cast<suseconds_t>(now % kSecond / 1000)};
  result->ru_maxrss = kResidentKilobytes;
  return 0;
}

RAVEL_EXPORT int sysinfo(struct sysinfo* result) noexcept {
  RAVEL_PASS_THROUGH(sysinfo, result);
  *result = {};
  result->uptime = static_cast<long>(read_clock(RAVEL_CALLER) / kSecond);
  result->totalram = kVirtualPages * kPageBytes;
  result->freeram = kVirtualFreePages * kPageBytes;
  result->procs = 1;
  result->mem_unit = 1;
  return 0;
}

RAVEL_EXPORT long get_phys_pages() noexcept {
  RAVEL_PASS_THROUGH(get_phys_pages);
  return kVirtualPages;
}

RAVEL_EXPORT long get_avphys_pages() noexcept {
  RAVEL_PASS_THROUGH(get_avphys_pages);
  return kVirtualFreePages;
}
