// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Ravel authors
#include "support/runtime_fixture.h"

#include <sys/mman.h>

#include <new>

#include "runtime/fiber/home.h"
#include "runtime/fiber/signal_mask.h"
#include "runtime/record/end_of_execution.h"
#include "runtime/record/objects.h"
#include "runtime/record/recorder.h"
#include "runtime/record/stretch.h"
#include "runtime/schedule/clock.h"
#include "runtime/schedule/passing_time.h"
#include "runtime/schedule/schedule_log.h"
#include "runtime/schedule/upcalls.h"
#include "runtime/signals/signals.h"
#include "runtime/sync/lifecycle.h"
#include "runtime/world/io.h"

namespace ravel::rt {

// Variables of the layers that are not linked.
constinit Scheduler g_scheduler;
Recorder g_recorder;
OpenWrite g_open_write;
AccessFilter g_filter;
RecentObject g_recent_objects[kRecentObjects];
Home g_home;
bool g_watch = false;
bool g_tail = false;
std::uint32_t g_same_thread_events = 0;
PassingTime g_passing;

RuntimeTest* RuntimeTest::running = nullptr;

namespace {
SharedBlock& map_block() {
  void* const memory =
      mmap(nullptr, sizeof(SharedBlock), PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
  if (memory == MAP_FAILED) throw std::bad_alloc();
  return *static_cast<SharedBlock*>(memory);
}
}  // namespace

RuntimeTest::RuntimeTest() : block(map_block()) {
  running = this;
  g = {};
  g.block = &block;
  g.in_control = true;
  g_scheduler.quick = {};
  g_scheduler.seat = {};
  g_scheduler.seat.policy = &policy_for(PolicyKind::kRunOn);
  g_now = 0;
  g_next_timer = kNever;
  g_passing = {};
  block.plan.max_steps = 1000;
  g_scheduler.seat.policy->begin(block.plan.policy);
  begin_schedule_log();
}

RuntimeTest::~RuntimeTest() {
  for (const auto& thread : threads) g_scheduler.ready.remove(*thread);
  munmap(&block, sizeof block);
  g = {};
  running = nullptr;
}

VirtualThread& RuntimeTest::make_thread() {
  VirtualThread& thread = *threads.emplace_back(std::make_unique<VirtualThread>());
  thread.index = g.next_index++;
  thread.state = ThreadState::kLive;
  thread.pending.kind = OpKind::kYield;
  thread.steps = &block.threads[thread.index].steps;
  if (g.current == nullptr) g.current = g.main = &thread;
  add_thread(thread);
  return thread;
}

void RuntimeTest::as(VirtualThread& thread, const std::function<void()>& what) {
  VirtualThread* const before = g.current;
  g.current = &thread;
  what();
  g.current = before;
}

// The point: enabled at once, or by what the test lets others do.
void point_here() {
  VirtualThread& self = *g.current;
  self.wake = WakeReason::kNormal;
  if (self.pending.enabled == nullptr || self.pending.enabled(self)) return;
  const std::function<void()> others = std::move(RuntimeTest::running->while_waiting);
  RuntimeTest::running->while_waiting = nullptr;
  if (others) others();
  if (!self.pending.enabled(self)) throw Blocked();
}
void point(const Pending& pending) {
  g.current->pending = pending;
  point_here();
}
void wait_spinning(const Pending& pending) {
  point(pending);
}
void changed() {
  g_scheduler.make_stale();
}
void changed_mutex(std::uintptr_t mutex) {
  g_scheduler.make_stale_by(mutex);
}
void add_thread(VirtualThread& thread) {
  g_scheduler.ready.add(thread);
  ++g.live;
}
std::uint32_t live_threads(VirtualThread* const*& list) {
  list = g_scheduler.ready.live().data();
  return static_cast<std::uint32_t>(g_scheduler.ready.live().size());
}

VirtualThread* live_thread(ThreadIndex index) {
  for (VirtualThread* const thread : g_scheduler.ready.live()) {
    if (thread->index == index) return thread;
  }
  return nullptr;
}

void record(OpKind kind, std::uint8_t bits, std::uint16_t, std::uintptr_t, LocationId, std::uint64_t value) {
  RuntimeTest::running->events.push_back({kind, bits, value});
}
void record_pending(std::uint8_t extra_bits, std::uint64_t value) {
  const Pending& pending = g.current->pending;
  RuntimeTest::running->events.push_back({pending.kind, static_cast<std::uint8_t>(pending.bits | extra_bits), value});
}
void count_unrecorded(std::uint64_t) {}
void step_limit_reached() {
  throw Ended{OutcomeKind::kStepLimit};
}
Place look_up_address(std::uintptr_t) {
  return {};
}
ContextId ShadowStack::look_up() {
  return 0;
}
std::uint64_t time_operand(const VirtualThread&, std::uint8_t) {
  return 0;
}

void finish_failure(OutcomeKind kind, const char*, LocationId) {
  throw Ended{kind};
}
void finish_diverged() {
  throw Ended{OutcomeKind::kDiverged};
}
void finish_abandoned() {
  throw Ended{OutcomeKind::kAbandoned};
}
void exit_thread(void*) {
  throw Ended{OutcomeKind::kCompleted};
}

// The thread's mask alone: the test's own process keeps its.
void set_signal_mask(std::uint64_t mask) {
  g.current->signal_mask = mask;
}
void take_signal(int number, siginfo_t&, bool& restarts) {
  RuntimeTest::running->handled.push_back(number);
  restarts = false;
}
void note_io_change() {}
void fire_timers() {
  g_next_timer = kNever;
}

}  // namespace ravel::rt
