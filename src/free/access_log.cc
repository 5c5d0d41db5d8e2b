// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Ravel authors
#include "free/access_log.h"

#include "base/hash.h"
#include "free/call_stack.h"

namespace ravel::fr {

namespace {

constexpr std::uint64_t kLongestPart = 1u << 15;

// Since the thread's last other operation, by address, size, kind and place.
bool is_repeated(const PlainAccess& access, std::uint64_t events) {
  const std::uint64_t word = access.address << 1 ^ (access.writes ? 1 : 0) ^ access.size << 56;
  const std::uint64_t key = mix64(word ^ access.pc * 0x9e3779b97f4a7c15ull);
  Remembered& last = g_scratch[t_state.index].accesses[key % kRemembered];
  if (last.key == key && last.events == events + 1) return true;
  last = {key, events + 1};
  return false;
}

}  // namespace

void log_access(FreeThread& self, const PlainAccess& access) {
  const std::uint64_t events = self.events.load(std::memory_order_relaxed);
  if (!g_block->request.repeats && is_repeated(access, events)) return;
  FreeLog& log = g_logs[index_of(&self)];
  const std::uintptr_t place = user_place(access.pc);
  const std::uint64_t time = time_stamp();
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
