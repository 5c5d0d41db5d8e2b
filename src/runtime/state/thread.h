// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Ravel authors
//
// VirtualThread: one program thread as a fiber. Lives in a slot that belongs to one carrier (fiber/carrier.h); a slot
// is reused when its thread has ended and was joined or detached, an index never is. All of it is touched by the one OS
// thread only.
#pragma once

#include <pthread.h>

#include <cstddef>
#include <cstdint>

#include "model/event.h"
#include "runtime/state/shadow_stack.h"
#include "runtime/state/spin_watch.h"
#include "semantics/futex.h"
#include "semantics/mail.h"
#include "semantics/waiting.h"

namespace ravel::rt {

struct VirtualThread;

inline constexpr std::uint64_t kNever = ~std::uint64_t{0};

// What a signal handler does to an operation that waits.
enum class Interruption : std::uint8_t {
  kNone,     // it goes on waiting
  kRestart,  // EINTR, unless all handlers that ran were set up with SA_RESTART
  kAlways,   // EINTR
};

// What a thread is about to execute, as events and policies see it.
struct PendingOperation {
  OpKind kind = OpKind::kNone;
  std::uint8_t bits = 0;
  std::uint16_t size = 0;
  LocationId location = 0;
  std::uintptr_t address = 0;
  std::uint64_t value = 0;  // mutex of a condition wait, index of a joined thread
};

// When it may, and what ends the wait for that. Conditional operations carry a predicate over the program's state: the
// thread is enabled when it holds. nullptr: always enabled, and then nothing interrupts it.
struct WaitRule {
  bool (*enabled)(const VirtualThread&) = nullptr;
  std::uint64_t deadline = kNever;  // virtual time at which it may give up
  bool may_wake_spuriously = false;
  bool spinning = false;   // waits for a value to change; goes on when nothing else can run
  bool silent = false;     // no event comes of it, so it is no step of a plan by step
  bool for_mutex = false;  // it locks the mutex at `address`, and has no deadline: can_run() looks for itself
  Interruption interruption = Interruption::kNone;
  bool cancellable = false;  // a cancellation point
};

// Each part is assigned as a whole, so that nothing of the operation before is left over.
struct Pending : PendingOperation, WaitRule {
  void set(const PendingOperation& operation, const WaitRule& rule = {}) {
    static_cast<PendingOperation&>(*this) = operation;
    static_cast<WaitRule&>(*this) = rule;
  }
};

// What a thread is queued on, and how. Handlers of signals queue it on other things in the meantime.
struct QueuePlace {
  const void* waits_for = nullptr;  // condition variable, futex word or barrier it is queued on
  FutexTurn turn;
  std::uint64_t waits_since = 0;  // at a condition variable: events before its wait
  std::uint32_t barrier_round = 0;
  Waiting waiting = Waiting::kOutside;  // at a condition variable, futex or barrier
};

enum class ThreadState : std::uint8_t { kFree, kLive, kEnded };
enum class WakeReason : std::uint8_t { kNormal, kTimeout, kSpurious, kInterrupted };

inline constexpr std::size_t kKeysPerThread = 1024;
inline constexpr std::size_t kRobustHeld = 8;

struct VirtualThread : QueuePlace, Mail {
  ThreadState state = ThreadState::kFree;
  bool enabled = false;      // cached value of the pending operation's predicate
  bool had_to_wait = false;  // was disabled since the pending operation was announced
  bool chosen = false;       // a real decision let it run
  bool spun = false;         // had to wait for a value to change before its pending access
  bool detached = false;
  bool being_joined = false;
  bool at_point = false;  // a point has been passed, and its operation is not recorded yet
  WakeReason wake = WakeReason::kNormal;
  std::uint32_t timed_out_at = 0;  // G::advances when its time was over
  ThreadIndex index = 0;
  std::uint32_t slot = 0;
  std::uint32_t children = 0;  // threads it has created: the n of the next child's lineage
  Pending pending;

  void* sp = nullptr;
  std::uint64_t fs_base = 0;
  void* (*start)(void*) = nullptr;
  void* argument = nullptr;
  void* result = nullptr;

  std::uint32_t regions = 0;        // ravel::atomic_region it is in
  std::uint32_t region_depth = 0;   // depth of calls in the function that is one by --regions; 0: in none
  LocationId region_entry = 0;      // where that function begins
  std::uint32_t functions_row = 0;  // of SharedBlock::first_functions; 0: main
  std::uint64_t clock_reads = 0;    // in a row without another visible operation

  std::uint32_t* steps = nullptr;  // its ThreadRecord::steps
  std::uintptr_t stack_low = 0;    // lowest usable address of its stack, and how many bytes from there
  std::uintptr_t stack_bytes = 0;
  std::uint64_t stamp = 0;                      // of its entries in the access filter
  std::uint32_t ready_at = 0;                   // its place in the scheduler's list, while that is up to date
  std::uint32_t keys_used = 0;                  // highest key ever set plus one
  std::uint64_t passed_at = ~std::uint64_t{0};  // events so far when its pending operation passed its point
  LocationId accessing = 0;  // the access being made for the program: a fault inside the runtime is that one's
  bool mask_stale = false;   // a jump may have changed the process's mask: ask for it
  std::uint16_t casts = 0;   // messages sent that travel by themselves
  pthread_mutex_t* robust[kRobustHeld] = {};  // robust mutexes it holds; more are not seen to be left behind
  void* cleanup = nullptr;                    // C cleanup handlers (intercept/cancel.cc)
  SpinWatch spin;
  char name[16] = {};
  // The large ones last: of a thread with few calls and no keys, one or two pages are touched.
  ShadowStack calls;
  const void* keys[kKeysPerThread] = {};
};

}  // namespace ravel::rt
