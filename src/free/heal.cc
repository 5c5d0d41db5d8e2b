// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Ravel authors
#include "free/heal.h"

#include <linux/futex.h>
#include <time.h>

#include "runtime/platform/raw.h"

namespace ravel::fr {

namespace {

// 0: nobody is inside; else the number of the thread's slot, from 1.
std::atomic<std::uint32_t> inside[kFreeSections];

bool is_listed(const std::uint64_t (&places)[kFreeSectionPlaces], std::uintptr_t pc) {
  for (const std::uint64_t place : places) {
    if (place == pc) return true;
    if (place == 0) return false;
  }
  return false;
}

bool take(std::atomic<std::uint32_t>& word) {
  std::uint32_t nobody = 0;
  return word.compare_exchange_strong(nobody, t_state.index + 1, std::memory_order_acquire);
}

bool could_run(std::uint32_t holder) {
  if (holder == 0 || holder > kFreeThreads) return true;
  const FreeThread& thread = g_block->threads[holder - 1];
  return thread.state.load(std::memory_order_acquire) == FreeThreadState::kLive &&
         thread.waits.load(std::memory_order_acquire) == OpKind::kNone;
}

void enter(std::uint32_t section) {
  std::atomic<std::uint32_t>& word = inside[section];
  FreeHealing& counts = g_block->healing;
  counts.entered.fetch_add(1, std::memory_order_relaxed);
  if (!take(word)) {
    counts.waited.fetch_add(1, std::memory_order_relaxed);
    const std::uint64_t begin = now_ns();
    std::uint64_t until = begin + kLongestHealingNs;
    while (!take(word)) {
      const std::uint64_t now = now_ns();
      const std::uint32_t holder = word.load(std::memory_order_relaxed);
      if (now >= until && now < begin + kLongestPatienceNs && could_run(holder)) until = now + kLongestHealingNs;
      if (now >= until) {
        counts.given_up.fetch_add(1, std::memory_order_relaxed);
        return;  // it goes in beside the other one
      }
      const timespec time{0, static_cast<long>(until - now)};
      if (holder != 0) {
        rt::raw_syscall(SYS_futex, reinterpret_cast<long>(&word), FUTEX_WAIT_PRIVATE, holder,
                        reinterpret_cast<long>(&time));
      }
    }
  }
  t_state.inside |= 1u << section;
}

void leave(std::uint32_t section) {
  t_state.inside &= ~(1u << section);
  t_state.leaving &= ~(1u << section);
  inside[section].store(0, std::memory_order_release);
  rt::raw_syscall(SYS_futex, reinterpret_cast<long>(&inside[section]), FUTEX_WAKE_PRIVATE, 1);
}

}  // namespace

void heal_at(std::uintptr_t at) {
  const FreeRequest& request = g_block->request;
  const std::uint64_t pc = at - g_block->modules[0].base;
  // Places are called right before what they do: it is done at the next one.
  for (std::uint32_t i = 0; t_state.leaving != 0 && i < kFreeSections; ++i) {
    if ((t_state.leaving >> i & 1) != 0 && !is_listed(request.section[i].leave, pc)) leave(i);
  }
  for (std::uint32_t i = 0; i < request.sections && i < kFreeSections; ++i) {
    const FreeSection& section = request.section[i];
    if ((t_state.inside >> i & 1) == 0 && is_listed(section.enter, pc)) {
      t_state.held_at_entry[i] = t_self->held;
      const Aside aside;
      enter(i);
    }
    if ((t_state.inside >> i & 1) != 0 && is_listed(section.leave, pc)) t_state.leaving |= 1u << i;
  }
}

void leave_lock_sections(std::uint32_t held) {
  for (std::uint32_t i = 0; t_state.inside != 0 && i < kFreeSections; ++i) {
    const bool through = g_block->request.section[i].by_locks && held <= t_state.held_at_entry[i];
    if ((t_state.inside >> i & 1) != 0 && through) leave(i);
  }
}

void leave_sections() {
  for (std::uint32_t i = 0; t_state.inside != 0 && i < kFreeSections; ++i) {
    if ((t_state.inside >> i & 1) != 0) leave(i);
  }
}

}  // namespace ravel::fr
