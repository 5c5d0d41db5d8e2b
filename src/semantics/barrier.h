// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Ravel authors
//
// Barriers. Arriving never blocks; leaving is enabled once the round in which the thread arrived is full. The thread
// keeps the round of its arrival. The arrival that fills the round is the "serial thread" of pthread_barrier_wait.
#pragma once

#include <cstdint>
#include <type_traits>

#include "semantics/answer.h"
#include "semantics/sync_result.h"

namespace ravel {

struct BarrierState {
  std::uint32_t needed = 0;  // threads a round; 0: not initialised; kDestroyed: destroyed
  std::uint32_t arrived = 0;
  std::uint32_t round = 0;    // full rounds so far
  std::uint32_t leaving = 0;  // threads of full rounds that have not left yet
};
static_assert(sizeof(BarrierState) == 16 && std::is_trivially_copyable_v<BarrierState>);

// Event::value of kBarrierArrive. Zero is also what a pending arrival carries: it may fill the round.
inline constexpr std::uint64_t kFilledRound = 0;
inline constexpr std::uint64_t kOthersMissing = 1;

struct Arrival {
  SyncResult result = SyncResult::kInvalid;
  std::uint32_t round = 0;  // to be passed to can_leave
  std::uint64_t value = kFilledRound;
};

inline bool is_usable(const BarrierState& b) {
  return b.needed != 0 && b.needed != kDestroyed;
}

inline Arrival arrive(BarrierState& b) {
  if (!is_usable(b)) return {};
  const std::uint32_t round = b.round;
  if (++b.arrived < b.needed) return {SyncResult::kOk, round, kOthersMissing};
  b.arrived = 0;
  b.leaving += b.needed;
  ++b.round;
  return {SyncResult::kOk, round, kFilledRound};
}
inline bool can_leave(const BarrierState& b, std::uint32_t round) {
  return b.round != round || !is_usable(b);
}
inline void leave(BarrierState& b) {
  if (b.leaving != 0) --b.leaving;
}
// `needed` is recorded with each arrival.
inline Answer ask(const BarrierState& b, const OperationView& op) {
  if (op.kind != OpKind::kBarrierArrive) return {};
  BarrierState after = b;
  const Arrival arrival = arrive(after);
  return {true, arrival.result != SyncResult::kOk, arrival.value};
}
inline bool apply(BarrierState& b, const OperationView& op) {
  if (op.kind != OpKind::kBarrierArrive || did_fail(op)) return true;
  const Arrival arrival = arrive(b);
  return arrival.result == SyncResult::kOk && arrival.value == op.value;
}
// Threads of a full round may still be leaving: POSIX lets the serial thread destroy the barrier then.
inline SyncResult destroy(BarrierState& b) {
  if (!is_usable(b)) return SyncResult::kInvalid;
  if (b.arrived != 0) return SyncResult::kBusy;
  b.needed = kDestroyed;
  return SyncResult::kOk;
}

}  // namespace ravel
