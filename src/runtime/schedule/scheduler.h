// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Ravel authors
//
// The scheduling point. A thread announces the operation it is about to execute; the scheduler decides who goes first:
// the prefix of the plan says, else the policy picks. When point() returns, the calling thread is the one that runs,
// its operation is enabled, and nothing else runs until its next point. The caller then executes the operation and
// records it (recorder.h).
//
// Order of events in one operation:  point(pending) -> effect on the object -> record(...) -> changed() if others may
// now be enabled.
#pragma once

#include <cstdint>

#include "runtime/record/watch.h"
#include "runtime/state/state.h"

namespace ravel::rt {

// Announces `pending` for the running thread and returns when it may execute it. The thread's `wake` says why:
// normally, by time-out, or spuriously.
void point(const Pending& pending);
// The same, with the running thread's `pending` filled in already.
void point_here();

// At a quick point where another thread was drawn (draw_running()): whether the turn can be given to it at once ...
bool drawn_may_run();
// ... and point_here() for that case.
void point_to_drawn();

// Like point(), for a thread that re-reads unchanged values: it waits until one of them changes, or until nobody else
// can run.
void wait_spinning(const Pending& pending);

// The ready set may differ now: a lock was released, a thread woken, created or ended.
void changed();
// Only for who waits for this mutex: it was locked or unlocked, and is neither recursive nor robust.
void changed_mutex(std::uintptr_t mutex);

// One thread is left of several, or several again: g_tail (record/watch.h).
void set_tail(bool tail);

// One of n alternatives, as part of the schedule (which waiter a signal wakes, a fault or not). n >= 1.
std::uint32_t choose(std::uint32_t n);
// The same where a sequence leaves the choice to the caller: without a plan, `otherwise'.
inline constexpr std::uint32_t kNoAlternative = 0xffffffffu;
std::uint32_t choose_or_take(std::uint32_t n, std::uint32_t otherwise);

// 1: a fault happens here. As choose(2), but rare where the plan does not say.
std::uint32_t choose_fault();

// The running thread has ended; never returns.
[[noreturn]] void leave_for_ever();

// A thread that can run from now on; it starts with `pending` = kThreadStart.
void add_thread(VirtualThread& thread);
void remove_thread(VirtualThread& thread);
// The running thread has just begun: to a policy that is to see every operation, that is one.
void show_start();

// Live threads in order of creation.
std::uint32_t live_threads(VirtualThread* const*& list);
// nullptr: it has ended.
VirtualThread* live_thread(ThreadIndex index);

// Fairness: plain accesses that are no points still give way to others after a long run.
inline constexpr std::uint32_t kFairEvents = 10'000;
void give_way_after_events();
inline void count_unscheduled_event() {
  if (__builtin_expect(++g_same_thread_events >= kFairEvents, 0)) give_way_after_events();
}

// Reads the plan: policy, prefix, limits. Once, at the start of an execution.
void begin_schedule();

}  // namespace ravel::rt
