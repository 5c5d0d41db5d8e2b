// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Ravel authors
#include "free/windows.h"

#include "free/call_stack.h"

namespace ravel::fr {

namespace {

std::atomic<std::uint32_t> open_accesses{0};

void note_overlap(const FreeThread& open, const FreeThread& self, const PlainAccess& access, std::uintptr_t open_pc,
                  bool open_writes) {
  const std::uintptr_t place = user_place(access.pc);
  for (FreeOverlap& row : g_block->overlaps) {
    std::uint32_t state = row.state.load(std::memory_order_acquire);
    if (state == 0 && row.state.compare_exchange_strong(state, 1, std::memory_order_acquire)) {
      row.first_thread = index_of(&open);
      row.second_thread = index_of(&self);
      row.first_pc = open_pc;
      row.second_pc = place;
      row.first_writes = open_writes;
      row.second_writes = access.writes;
      row.address = access.address;
      row.times.store(1, std::memory_order_relaxed);
      row.state.store(2, std::memory_order_release);
      return;
    }
    if (state != 2 || row.first_pc != open_pc || row.second_pc != place) continue;
    row.times.fetch_add(1, std::memory_order_relaxed);
    return;
  }
}

}  // namespace

void look_into_windows(const FreeThread& self, const PlainAccess& access) {
  if (open_accesses.load(std::memory_order_relaxed) == 0) return;
  const std::uint32_t count = g_block->thread_count.load(std::memory_order_acquire);
  for (std::uint32_t i = 0; i < count && i < kFreeThreads; ++i) {
    const FreeThread& other = g_block->threads[i];
    const std::uint64_t address = other.open_address.load(std::memory_order_seq_cst);
    if (&other == &self || address == 0) continue;
    const std::uint32_t size = other.open_size.load(std::memory_order_relaxed);
    const bool writes = other.open_writes.load(std::memory_order_relaxed);
    const std::uint64_t pc = other.open_pc.load(std::memory_order_relaxed);
    const bool conflicts =
        (writes || access.writes) && address < access.address + access.size && access.address < address + size;
    // Still the same one: what was read belongs together, and it is open now.
    if (conflicts && other.open_address.load(std::memory_order_seq_cst) == address &&
        other.open_pc.load(std::memory_order_relaxed) == pc) {
      note_overlap(other, self, access, pc, writes);
    }
  }
}

OpenAccess::OpenAccess(FreeThread& self, const PlainAccess* access)
    : self_(access != nullptr && (g_hooks & kHookWindows) != 0 ? &self : nullptr) {
  if (self_ == nullptr) return;
  constexpr std::uint64_t kLongest = 1u << 30;
  self_->open_size.store(static_cast<std::uint32_t>(access->size < kLongest ? access->size : kLongest),
                         std::memory_order_relaxed);
  self_->open_writes.store(access->writes, std::memory_order_relaxed);
  self_->open_pc.store(user_place(access->pc), std::memory_order_relaxed);
  self_->open_address.store(access->address, std::memory_order_seq_cst);
  open_accesses.fetch_add(1, std::memory_order_seq_cst);
}

OpenAccess::~OpenAccess() {
  if (self_ == nullptr) return;
  self_->open_address.store(0, std::memory_order_seq_cst);
  open_accesses.fetch_sub(1, std::memory_order_relaxed);
}

}  // namespace ravel::fr
