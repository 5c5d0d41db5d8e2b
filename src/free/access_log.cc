// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Ravel authors
#include "free/access_log.h"

#include "base/hash.h"
#include "free/call_stack.h"

namespace ravel::fr {

namespace {

constexpr std::uint64_t kLongestPart = 1u << 15;

// Bursts, in time stamps: some ten milliseconds from one to the next, some two hundred microseconds long.
constexpr std::uint64_t kPeriod = 1u << 25;
constexpr std::uint64_t kBurst = 1u << 19;
constexpr std::uint64_t kPause = 1u << 18;  // longer than this between two looks at the clock: the thread did nothing
constexpr std::uint64_t kMostUnseen = 128;  // accesses from one look at the clock to the next

// Since the thread's last other operation, by address, size, kind and place.
bool is_repeated(const PlainAccess& access, std::uint64_t events) {
  const std::uint64_t what = access.address << 1 ^ (access.writes ? 1 : 0) ^ access.size << 56;
  const std::uint64_t key = mix64(what ^ access.pc * 0x9e3779b97f4a7c15ull);
  const std::uint64_t word = access.address / sizeof(std::uint64_t);
  Remembered* const known = g_scratch[t_state.index].accesses[(word ^ word >> 14) % kRememberedWords];
  Remembered* place = &known[key % kRememberedWays];
  for (std::uint32_t i = 0; i < kRememberedWays; ++i) {
    if (known[i].key == key && known[i].events == events + 1) return true;
    if (known[i].events != events + 1) place = &known[i];
  }
  *place = {key, events + 1};
  return false;
}

void add_gap(FreeLog& log, std::uint64_t until) {
  const std::uint64_t at = log.gaps.load(std::memory_order_relaxed);
  log.gap[at % kFreeGaps] = {log.off_since, until};
  log.gaps.store(at + 1, std::memory_order_release);
}

// Not long after an operation of a burst by order.
bool is_in_order_burst(const FreeThread& self, const FreeLog& log, std::uint64_t now) {
  const std::uint64_t last = (self.events.load(std::memory_order_relaxed) - 1) % kFreeTracedEvents;
  return log.events[last].order % kOrderPeriod < kOrderBurst && now - log.times[last] < kBurst;
}

// All threads log at the same times: what is between two accesses of a burst is there as well.
bool is_in_burst(FreeThread& self, FreeLog& log, std::uint64_t now) {
  const bool burst = now % kPeriod < kBurst || log.logged.load(std::memory_order_relaxed) < kFreeAccesses ||
                     is_in_order_burst(self, log, now);
  if (log.off_since == 0) {
    if (burst) return true;
    log.off_since = now;
    log.unseen = 1;
  } else if (now - log.looked > kPause) {
    add_gap(log, log.looked + kFreeGapMargin);
    log.off_since = now - kFreeGapMargin;
    log.unseen = 1;
  } else if (log.unseen < kMostUnseen) {
    log.unseen *= 2;
  }
  if (burst) {
    add_gap(log, now);
    log.off_since = 0;
  }
  log.looked = now;
  log.look_again = burst ? 0 : self.accesses + log.unseen;
  if (g_hooks == kHookTrace) self.look_at = log.look_again;
  return burst;
}

}  // namespace

void log_access(FreeThread& self, const PlainAccess& access) {
  FreeLog& log = g_logs[index_of(&self)];
  const FreeLogging logging = g_block->request.logging;
  if (logging == FreeLogging::kBursts && self.accesses < log.look_again) return;
  const std::uint64_t events = self.events.load(std::memory_order_relaxed);
  if (logging == FreeLogging::kOnce && is_repeated(access, events)) return;
  const std::uint64_t time = time_stamp();
  if (logging == FreeLogging::kBursts && !is_in_burst(self, log, time)) return;
  const std::uintptr_t place = user_place(access.pc);
  std::uint64_t at = log.logged.load(std::memory_order_relaxed);
  for (std::uint64_t done = 0; done < access.size; done += kLongestPart) {
    const std::uint64_t size = access.size - done < kLongestPart ? access.size - done : kLongestPart;
    FreeEvent& event = log.accesses[at++ % kFreeAccesses];
    event.order = time;
    event.address = access.address + done;
    event.pc = access.pc;
    event.user = place;
    event.value = static_cast<std::uint32_t>(events);
    event.kind = access.writes ? OpKind::kWrite : OpKind::kRead;
    event.bits = access.is_volatile ? kVolatile : 0;
    event.size = static_cast<std::uint16_t>(size);
  }
  log.logged.store(at, std::memory_order_release);
}

}  // namespace ravel::fr
