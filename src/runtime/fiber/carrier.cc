// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Ravel authors
#include "runtime/fiber/carrier.h"

#include <linux/futex.h>
#include <pthread.h>
#include <signal.h>
#include <sys/mman.h>

#include "base/invariant.h"
#include "base/large_table.h"
#include "runtime/fiber/context_switch.h"
#include "runtime/fiber/home.h"
#include "runtime/fiber/tls.h"
#include "runtime/platform/raw.h"
#include "runtime/platform/real.h"

namespace ravel::rt {

namespace {

struct Carrier {
  std::uint64_t thread_pointer = 0;
  void* top = nullptr;       // below the parked frame and the thread-local storage
  std::uint32_t parked = 0;  // futex word
  bool used = false;         // its thread-local storage is no longer fresh
};

RAVEL_LARGE_TABLE Carrier carriers[kMaxLive];
std::uint32_t carrier_count = 1;  // slot 0 is main
RAVEL_LARGE_TABLE std::uint32_t free_slots[kMaxLive];
std::uint32_t free_count = 0;
std::uint32_t highest_used = 0;
VirtualThread* threads = nullptr;

std::uintptr_t slot_base(std::uint32_t slot) {
  return kStackRegion + slot * kStackStride;
}

void* map_at(std::uintptr_t address, std::size_t bytes, int protection) {
  const long result = raw_syscall(SYS_mmap, static_cast<long>(address), static_cast<long>(bytes), protection,
                                  MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE | MAP_FIXED_NOREPLACE, -1, 0);
  if (result < 0 && result > -4096) return nullptr;
  return reinterpret_cast<void*>(result);
}

bool map_stack(std::uint32_t slot) {
  const std::uintptr_t base = slot_base(slot);
  if (map_at(base, kStackBytes + kStackGuard, PROT_READ | PROT_WRITE) == nullptr) return false;
  raw_syscall(SYS_mprotect, static_cast<long>(base), kStackGuard, PROT_NONE);
  return true;
}

// Stacks lie a power of two apart: without another offset for each, the tops of all of them would compete for the same
// few lines of the processor's caches. Whole pages, so that no stack reaches into one page more.
std::uintptr_t colour_of(std::uint32_t slot) {
  constexpr std::uint32_t kColours = 16;
  constexpr std::uintptr_t kPage = 4096;
  return slot % kColours * kPage;
}

void* park(void* argument) {
  auto& carrier = *static_cast<Carrier*>(argument);
  const auto slot = static_cast<std::uint32_t>(&carrier - carriers);
  carrier.thread_pointer = read_fs_base();
  carrier.top = reinterpret_cast<void*>(
      (reinterpret_cast<std::uintptr_t>(__builtin_frame_address(0)) - 1024 - colour_of(slot)) & ~std::uintptr_t{63});
  __atomic_store_n(&carrier.parked, 1, __ATOMIC_RELEASE);
  raw_syscall(SYS_futex, reinterpret_cast<long>(&carrier.parked), FUTEX_WAKE, 1);
  for (;;) raw_syscall(SYS_futex, reinterpret_cast<long>(&carrier.parked), FUTEX_WAIT, 1, 0);
}

bool make_carrier(std::uint32_t slot) {
  spoil_home("it had more threads at a time than were prepared");
  if (!map_stack(slot)) return false;
  Carrier& carrier = carriers[slot];
  pthread_attr_t attributes;
  pthread_attr_init(&attributes);
  real().pthread_attr_setstack(&attributes, reinterpret_cast<void*>(slot_base(slot) + kStackGuard), kStackBytes);
  // All signals blocked: a signal for the process must reach the thread that runs the program.
  std::uint64_t all = ~std::uint64_t{0};
  std::uint64_t before = 0;
  raw_syscall(SYS_rt_sigprocmask, SIG_SETMASK, reinterpret_cast<long>(&all), reinterpret_cast<long>(&before), 8);
  // glibc must see the real main thread as the creator, whichever fiber asks.
  const std::uint64_t own = read_fs_base();
  if (carriers[0].thread_pointer != 0) write_fs_base(carriers[0].thread_pointer);
  pthread_t handle;
  const int error = real().pthread_create(&handle, &attributes, park, &carrier);
  write_fs_base(own);
  while (error == 0 && __atomic_load_n(&carrier.parked, __ATOMIC_ACQUIRE) == 0) {
    raw_syscall(SYS_futex, reinterpret_cast<long>(&carrier.parked), FUTEX_WAIT, 0, 0);
  }
  raw_syscall(SYS_rt_sigprocmask, SIG_SETMASK, reinterpret_cast<long>(&before), 0, 8);
  pthread_attr_destroy(&attributes);
  if (error != 0) raw_syscall(SYS_munmap, static_cast<long>(slot_base(slot)), kStackBytes + kStackGuard);
  return error == 0;
}

}  // namespace

std::uint32_t carriers_made() {
  return carrier_count;
}

VirtualThread& thread_in_slot(std::uint32_t slot) {
  return threads[slot];
}

std::uint32_t carrier_threads() {
  return carrier_count - 1;
}

void prepare_main_slot() {
  if (threads != nullptr) {
    carriers[0].thread_pointer = read_fs_base();
    return;
  }
  const long bytes = static_cast<long>(sizeof(VirtualThread) * kMaxLive);
  const long result =
      raw_syscall(SYS_mmap, 0, bytes, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
  if (result < 0 && result > -4096) fatal("no memory for the thread table", static_cast<std::uint64_t>(-result));
  threads = reinterpret_cast<VirtualThread*>(result);
  if (!map_stack(0)) fatal("the address range for stacks is taken", kStackRegion);
  carriers[0].thread_pointer = read_fs_base();
  carriers[0].top = reinterpret_cast<void*>(slot_base(0) + kStackGuard + kStackBytes - 4096);
}

void prepare_carriers(std::uint32_t count) {
  for (std::uint32_t i = 0; i < count && carrier_count < kMaxLive; ++i) {
    if (!make_carrier(carrier_count)) break;
    ++carrier_count;
  }
  // Lowest slot first: the order in which a program's threads get their slots is then the same everywhere.
  free_count = 0;
  for (std::uint32_t slot = carrier_count; slot > 1; --slot) free_slots[free_count++] = slot - 1;
}

namespace {
// A thread that has ended stands on its stack until another one runs; a timer may make a thread in the meantime.
bool next_is_not_left_yet() {
  const auto here = reinterpret_cast<std::uintptr_t>(__builtin_frame_address(0));
  return free_count != 0 && slot_of_address(here) == static_cast<int>(free_slots[free_count - 1]);
}
}  // namespace

VirtualThread* acquire_slot(std::size_t stack_bytes) {
  if (stack_bytes > kStackBytes) return nullptr;
  std::uint32_t slot = 0;
  if (next_is_not_left_yet() && free_count > 1) std::swap(free_slots[free_count - 1], free_slots[free_count - 2]);
  if (free_count != 0 && !next_is_not_left_yet()) {
    slot = free_slots[--free_count];
  } else {
    if (carrier_count == kMaxLive || !make_carrier(carrier_count)) return nullptr;
    slot = carrier_count++;
  }
  if (slot > highest_used) highest_used = slot;
  if (carriers[slot].used) reset_tls(carriers[slot].thread_pointer);
  carriers[slot].used = true;
  VirtualThread& thread = threads[slot];
  INVARIANT(thread.state == ThreadState::kFree, "a slot is given to one thread at a time");
  thread.slot = slot;
  thread.fs_base = carriers[slot].thread_pointer;
  return &thread;
}

void release_slot(VirtualThread& thread) {
  INVARIANT(thread.state == ThreadState::kEnded, "a slot is free again when its thread has ended");
  thread.state = ThreadState::kFree;
  if (thread.slot != 0) free_slots[free_count++] = thread.slot;
}

void* stack_top(std::uint32_t slot) {
  return carriers[slot].top;
}
std::uintptr_t stack_bottom(std::uint32_t slot) {
  return slot_base(slot) + kStackGuard;
}
std::uint64_t thread_pointer(std::uint32_t slot) {
  return carriers[slot].thread_pointer;
}

bool is_thread_memory(std::uintptr_t address) {
  const auto table = reinterpret_cast<std::uintptr_t>(threads);
  return slot_of_address(address) >= 0 || address - table < sizeof(VirtualThread) * kMaxLive;
}

void visit_thread_memory(bool all, void (*visit)(void*, std::uintptr_t, std::uintptr_t), void* argument) {
  const std::uint32_t slots = all ? carrier_count : highest_used + 1;
  const auto table = reinterpret_cast<std::uintptr_t>(threads);
  constexpr std::uintptr_t kPageMask = 4095;
  visit(argument, table, (table + slots * sizeof(VirtualThread) + kPageMask) & ~kPageMask);
  for (std::uint32_t slot = 0; slot < slots; ++slot)
    visit(argument, stack_bottom(slot), stack_bottom(slot) + kStackBytes);
}

int slot_of_address(std::uintptr_t address) {
  if (address < kStackRegion) return -1;
  const std::uintptr_t slot = (address - kStackRegion) / kStackStride;
  return slot < carrier_count ? static_cast<int>(slot) : -1;
}

}  // namespace ravel::rt
