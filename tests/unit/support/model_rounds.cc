// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Ravel authors
//
// Barriers, one-time initialisation, phases and futexes of the toy machine.
#include <algorithm>

#include "semantics/futex.h"
#include "support/model_execution.h"

namespace ravel::toy {

namespace {

void leave_queue(std::uint8_t (&queue)[kThreads], std::uint32_t thread) {
  const auto last = std::remove(std::begin(queue), std::end(queue), static_cast<std::uint8_t>(thread + 1));
  std::fill(last, std::end(queue), std::uint8_t{0});
}

}  // namespace

bool Execution::act_barrier(BarrierState& barrier) {
  switch (view_.kind) {
    case OpKind::kBarrierArrive: {
      const Arrival arrival = arrive(barrier);
      if (!settle(arrival.result)) return false;
      view_.value = arrival.value;
      observed_ = static_cast<std::uint32_t>(arrival.value);
      thread_.round = arrival.round;
      thread_.waiting = Waiting::kWaits;
      return true;
    }
    case OpKind::kBarrierLeave:
      leave(barrier);
      thread_.round = 0;
      return false;
    case OpKind::kBarrierDestroy:
      settle(destroy(barrier));
      return false;
    default:
      barrier = {.needed = step_.value, .arrived = 0, .round = 0, .leaving = 0};
      return false;
  }
}

bool Execution::act_once(OnceState& once) {
  if (view_.kind == OpKind::kOnceBegin) {
    const Beginning beginning = once_begin(once, transition_.thread);
    view_.value = beginning.value;
    observed_ = static_cast<std::uint32_t>(beginning.value);
    if (beginning.value == kOnceDone) thread_.pc += step_.skip;
  } else if (view_.kind == OpKind::kOnceEnd) {
    settle(once_end(once, transition_.thread));
  } else {
    settle(once_abort(once, transition_.thread));
  }
  return false;
}

bool Execution::act_phase(PhaseState& phase) {
  if (view_.kind == OpKind::kPhaseArrive) view_.value = arrive(phase, false);
  if (view_.kind == OpKind::kPhaseTest && !is_over(phase, step_.value)) view_.bits |= kFailed;
  return false;
}

bool Execution::act_futex(std::uint8_t (&queue)[kThreads]) {
  const auto waiting = static_cast<std::uint32_t>(std::find(std::begin(queue), std::end(queue), 0) - std::begin(queue));
  switch (view_.kind) {
    case OpKind::kFutexWait:
      if (!futex_waits(read_memory(state_, step_.at, 4), step_.value)) {
        view_.bits |= kFailed;
        view_.value = read_memory(state_, step_.at, 4);
        return false;
      }
      view_.value = step_.value;
      queue[waiting] = static_cast<std::uint8_t>(transition_.thread + 1);
      thread_.waiting = Waiting::kWaits;
      return true;
    case OpKind::kFutexResume:
      if (transition_.timeout) leave_queue(queue, transition_.thread);
      return false;
    default: {
      const std::uint32_t woken = futex_wakes(waiting, static_cast<std::int32_t>(step_.value));
      for (std::uint32_t i = 0; i < woken; ++i) {
        const std::uint32_t first = queue[0] - 1u;
        leave_queue(queue, first);
        state_.threads[first].waiting = Waiting::kWoken;
      }
      view_.value = woken;
      observed_ = woken;
      return false;
    }
  }
}

}  // namespace ravel::toy
