// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Ravel authors
//
// haltOneThread: one thread is stopped until no other one can run. It sees so itself: every other thread waits in
// something that we take over, sleeps, or has ended. Threads that wait for the outside are not seen to, so that it
// gives up after a while.
#include "free/noise/seedings.h"

namespace ravel::fr {

namespace {

constexpr std::uint64_t kLongestHaltNs = 50'000'000;
constexpr std::uint32_t kFirstNapUs = 20;
constexpr std::uint32_t kLongestNapUs = 1'000;

bool can_run(const FreeThread& thread) {
  const FreeThreadState state = thread.state.load(std::memory_order_acquire);
  if (state == FreeThreadState::kMade) return true;
  return state == FreeThreadState::kLive && thread.waits.load(std::memory_order_acquire) == OpKind::kNone;
}

bool others_can_run(const FreeThread& self) {
  const std::uint32_t count = g_block->thread_count.load(std::memory_order_acquire);
  for (std::uint32_t i = 0; i < count && i < kFreeThreads; ++i) {
    if (&g_block->threads[i] != &self && can_run(g_block->threads[i])) return true;
  }
  return false;
}

}  // namespace

bool halt_noise(const FreeThread& self) {
  const std::uint64_t begin = now_ns();
  std::uint32_t nap = kFirstNapUs;
  while (others_can_run(self)) {
    if (now_ns() - begin > kLongestHaltNs) return false;
    sleep_noise(nap);
    nap = nap * 2 < kLongestNapUs ? nap * 2 : kLongestNapUs;
  }
  return true;
}

}  // namespace ravel::fr
