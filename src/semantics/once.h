// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Ravel authors
//
// One-time initialisation: idle, running by a thread, done. Two layouts, one table.
//
// OnceState is a whole pthread_once_t (one int, zero when fresh). GuardState is the 64-bit guard of a function-local
// static: compiled code tests byte 0 by itself, so that byte is 1 exactly when the initialiser is done.
#pragma once

#include <cstdint>
#include <type_traits>

#include "model/event.h"
#include "semantics/answer.h"
#include "semantics/sync_result.h"

namespace ravel {

enum class OncePhase : std::uint8_t { kIdle, kRunning, kDone };

struct OnceState {
  std::uint32_t word = 0;  // 0 idle, 2 done (as in glibc), thread << 2 | 1 running

  [[nodiscard]] OncePhase phase() const {
    if (word == 0) return OncePhase::kIdle;
    return word == 2 ? OncePhase::kDone : OncePhase::kRunning;
  }
  [[nodiscard]] ThreadIndex runner() const { return (word & 1) != 0 ? ThreadIndex(word >> 2) : kNoThread; }
  void set_idle() { word = 0; }
  void set_running(ThreadIndex thread) { word = thread << 2 | 1u; }
  void set_done() { word = 2; }
};
static_assert(sizeof(OnceState) == 4 && std::is_trivially_copyable_v<OnceState>);

struct GuardState {
  std::uint8_t done = 0;
  std::uint8_t unused[3] = {};
  std::uint32_t runner_plus_one = 0;

  [[nodiscard]] OncePhase phase() const {
    if (done != 0) return OncePhase::kDone;
    return runner_plus_one == 0 ? OncePhase::kIdle : OncePhase::kRunning;
  }
  [[nodiscard]] ThreadIndex runner() const { return runner_plus_one - 1; }
  void set_idle() { runner_plus_one = 0; }
  void set_running(ThreadIndex thread) { runner_plus_one = thread + 1; }
  void set_done() {
    runner_plus_one = 0;
    done = 1;
  }
};
static_assert(sizeof(GuardState) == 8 && std::is_trivially_copyable_v<GuardState>);

// Event::value of kOnceBegin; a pending one carries begin_value().
inline constexpr std::uint64_t kOnceDone = 0;
inline constexpr std::uint64_t kOnceRuns = 1;

template <class State>
std::uint64_t begin_value(const State& s) {
  return s.phase() == OncePhase::kDone ? kOnceDone : kOnceRuns;
}

template <class State>
bool can_begin(const State& s) {
  return s.phase() != OncePhase::kRunning;
}

struct Beginning {
  SyncResult result = SyncResult::kBusy;  // kBusy: wait; kSelfDeadlock: the initialiser asks for itself
  std::uint64_t value = kOnceDone;
};

template <class State>
Beginning once_begin(State& s, ThreadIndex thread) {
  switch (s.phase()) {
    case OncePhase::kDone:
      return {SyncResult::kOk, kOnceDone};
    case OncePhase::kIdle:
      s.set_running(thread);
      return {SyncResult::kOk, kOnceRuns};
    case OncePhase::kRunning:
      break;
  }
  return {s.runner() == thread ? SyncResult::kSelfDeadlock : SyncResult::kBusy, kOnceRuns};
}

// The initialiser returned (done) or threw or was cancelled (the next one tries again).
template <class State>
SyncResult once_end(State& s, ThreadIndex thread) {
  if (s.phase() != OncePhase::kRunning) return SyncResult::kNotLocked;
  if (s.runner() != thread) return SyncResult::kNotOwner;
  s.set_done();
  return SyncResult::kOk;
}
template <class State>
SyncResult once_abort(State& s, ThreadIndex thread) {
  if (s.phase() != OncePhase::kRunning) return SyncResult::kNotLocked;
  if (s.runner() != thread) return SyncResult::kNotOwner;
  s.set_idle();
  return SyncResult::kOk;
}

template <class State>
Answer ask(const State& s, const OperationView& op) {
  if (op.kind != OpKind::kOnceBegin) return {};
  if (!can_begin(s)) return {false};
  return {true, false, begin_value(s)};
}
template <class State>
bool apply(State& s, const OperationView& op) {
  switch (op.kind) {
    case OpKind::kOnceBegin: {
      const Beginning beginning = once_begin(s, op.thread);
      if (beginning.result == SyncResult::kOk && beginning.value == op.value) return true;
      op.value == kOnceRuns ? s.set_running(op.thread) : s.set_done();
      return false;
    }
    case OpKind::kOnceEnd:
      if (once_end(s, op.thread) == SyncResult::kOk) return true;
      s.set_done();
      return false;
    case OpKind::kOnceAbort:
      if (once_abort(s, op.thread) == SyncResult::kOk) return true;
      s.set_idle();
      return false;
    default:
      return true;
  }
}

}  // namespace ravel
