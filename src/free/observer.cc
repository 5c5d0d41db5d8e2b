// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Ravel authors
//
#include "free/observer.h"

#include <sys/mman.h>

#include "runtime/platform/raw.h"
#include "runtime/platform/spin_lock.h"

namespace ravel::fr {

namespace {

constexpr std::uint32_t kVariables = 1u << 16;
constexpr std::uint32_t kNoPlace = ~0u;
constexpr std::uint32_t kTries = 8;
constexpr std::uint64_t kWord = 4;  // variables that share one are taken for one
constexpr std::uint64_t kLongestUs = 1'000'000'000;

// The last access to a variable.
struct Variable {
  rt::SpinLock lock;
  std::uint32_t thread = 0;
  std::uint64_t address = 0;
  std::uint64_t at_ns = 0;
  std::uint32_t place = 0;
};
Variable* variables = nullptr;
rt::SpinLock groups;

std::uint32_t place_of(const FreeThread& self, std::uintptr_t pc, std::uint32_t place_class) {
  const std::uint64_t key = pc ^ self.type << 1;  // one row per place and kind of thread
  for (std::uint32_t i = 0, at = free_slot(key); i < kFreePlaces; ++i, at = (at + 1) % kFreePlaces) {
    FreeObserved& row = g_block->observed[at];
    std::uint64_t there = row.pc.load(std::memory_order_acquire);
    if (there == 0 && row.pc.compare_exchange_strong(there, pc, std::memory_order_acq_rel)) {
      row.thread_type = self.type;
      row.group.store(at, std::memory_order_relaxed);
      there = pc;
    }
    if (there != pc || row.thread_type != self.type) continue;
    row.classes = place_class;
    return at;
  }
  return kNoPlace;
}

std::uint32_t root_of(std::uint32_t place) {
  for (std::uint32_t i = 0; i < kFreePlaces; ++i) {
    const std::uint32_t up = g_block->observed[place].group.load(std::memory_order_relaxed) % kFreePlaces;
    if (up == place) break;
    place = up;
  }
  return place;
}

void join_groups(std::uint32_t a, std::uint32_t b) {
  if (root_of(a) == root_of(b)) return;
  const rt::Locked locked(groups);
  const std::uint32_t first = root_of(a);
  const std::uint32_t second = root_of(b);
  const std::uint32_t low = first < second ? first : second;
  g_block->observed[first ^ second ^ low].group.store(low, std::memory_order_relaxed);
}

void note_time(FreeObserved& row, std::uint64_t ns) {
  const std::uint64_t us = ns / 1000 < kLongestUs ? ns / 1000 : kLongestUs;
  const auto time = static_cast<std::uint32_t>(us + 1);
  std::uint32_t least = row.least_us.load(std::memory_order_relaxed);
  if (least == 0 || time < least) row.least_us.store(time, std::memory_order_relaxed);
  if (time > row.most_us.load(std::memory_order_relaxed)) row.most_us.store(time, std::memory_order_relaxed);
}

}  // namespace

bool begin_observing() {
  const long at = rt::raw_syscall(SYS_mmap, 0, sizeof(Variable) * kVariables, PROT_READ | PROT_WRITE,
                                  MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
  if (at <= 0) return false;
  variables = reinterpret_cast<Variable*>(at);
  return true;
}

void observe(FreeThread& self, std::uintptr_t address, std::uintptr_t pc, std::uint32_t place_class) {
  const std::uint32_t place = place_of(self, pc, place_class);
  if (place == kNoPlace) return;
  FreeObserved& row = g_block->observed[place];
  row.executions.fetch_add(1, std::memory_order_relaxed);
  if (self.held == 0) row.unprotected.fetch_add(1, std::memory_order_relaxed);
  const std::uint64_t word = address / kWord * kWord;
  const std::uint64_t first = mix64(word) % kVariables;
  for (std::uint32_t i = 0; i < kTries; ++i) {
    Variable& variable = variables[(first + i) % kVariables];
    const rt::Locked locked(variable.lock);
    if (variable.address != 0 && variable.address != word) continue;
    const std::uint64_t now = now_ns();
    if (variable.address == word) {
      FreeObserved& before = g_block->observed[variable.place];
      if (variable.place != place) join_groups(variable.place, place);
      if (variable.thread != t_state.index) {
        before.shared.store(1, std::memory_order_relaxed);
        row.shared.store(1, std::memory_order_relaxed);
        note_time(before, now - variable.at_ns);
      }
    }
    variable.address = word;
    variable.thread = t_state.index;
    variable.at_ns = now;
    variable.place = place;
    return;
  }
}

}  // namespace ravel::fr
