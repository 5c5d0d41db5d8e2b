// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Ravel authors
#include "detect/detector_table.h"

#include <cstddef>

#include "detect/atomic_sets.h"
#include "detect/atomic_update.h"
#include "detect/avio.h"
#include "detect/blocked.h"
#include "detect/dead_stack.h"
#include "detect/double_checked.h"
#include "detect/eraser.h"
#include "detect/goldilocks.h"
#include "detect/held_at_exit.h"
#include "detect/livelock.h"
#include "detect/lock_order.h"
#include "detect/lost_signal.h"
#include "detect/nested_wait.h"
#include "detect/overlap.h"
#include "detect/predicted_races.h"
#include "detect/predicted_signal.h"
#include "detect/pset.h"
#include "detect/racetrack.h"
#include "detect/reduction.h"
#include "detect/serialisable.h"
#include "detect/unchecked_wait.h"
#include "detect/units.h"
#include "detect/use_before_set.h"
#include "detect/vector_races.h"
#include "detect/views.h"

namespace ravel {
namespace {

constexpr DetectorRow kRows[] = {
    {.id = DetectorId::kDataRace,
     .name = "data-race",
     .finds = "two accesses to the same memory, one of them a write, that nothing orders (FastTrack)",
     .kind = OutcomeKind::kDataRace,
     .precise = true,
     .in_default = true},
    {.id = DetectorId::kAvio,
     .name = "avio",
     .finds = "two accesses of one thread with another thread's access in between, as no serial order allows",
     .kind = OutcomeKind::kAtomicityViolation,
     .exact_order = true,
     .explains = true,
     .learns = true,
     .explanations = Avio::kExplanations,
     .create = create_detector<Avio>},
    {.id = DetectorId::kLockOrder,
     .name = "lock-order",
     .finds =
         "locks, semaphores and conditions waited for in a cycle (Goodlock); reported once the deadlock was reached",
     .kind = OutcomeKind::kPotentialDeadlock,
     .precise = true,
     .in_default = true,
     .predicts = true,
     .explanations = LockOrder::kExplanations,
     .create = create_detector<LockOrder>},
    {.id = DetectorId::kVectorClock,
     .name = "vector-clock",
     .finds = "data races by full vectors: what data-race finds, with every pair of accesses named",
     .kind = OutcomeKind::kDataRace,
     .precise = true,
     .explanations = VectorRaces::kExplanations,
     .create = create_detector<VectorRaces>},
    {.id = DetectorId::kGoldiLocks,
     .name = "goldilocks",
     .finds = "data races by locksets that grow along happens-before (GoldiLocks)",
     .kind = OutcomeKind::kDataRace,
     .precise = true,
     .explanations = GoldiLocks::kExplanations,
     .create = create_detector<GoldiLocks>},
    {.id = DetectorId::kEraser,
     .name = "eraser",
     .finds = "variables that several threads use without a lock in common (Eraser)",
     .kind = OutcomeKind::kDataRace,
     .explanations = Eraser::kExplanations,
     .create = create_detector<Eraser>},
    {.id = DetectorId::kOverlap,
     .name = "overlap",
     .finds = "conflicting accesses with no synchronisation of either thread in between (as AtomRace)",
     .kind = OutcomeKind::kDataRace,
     .precise = true,
     .explanations = Overlap::kExplanations,
     .create = create_detector<Overlap>},
    {.id = DetectorId::kPredictedRace,
     .name = "predicted-race",
     .finds = "data races of other schedules; reported once a schedule has reached the race",
     .kind = OutcomeKind::kDataRace,
     .precise = true,
     .predicts = true,
     .explanations = PredictedRaces::kExplanations,
     .create = create_detector<PredictedRaces>},
    {.id = DetectorId::kAtomicUpdate,
     .name = "atomic-update",
     .finds = "a load and a store of an atomic with another thread's write in between: a lost update",
     .kind = OutcomeKind::kAtomicityViolation,
     .explains = true,
     .explanations = AtomicUpdate::kExplanations,
     .create = create_detector<AtomicUpdate>},
    {.id = DetectorId::kAba,
     .name = "aba",
     .finds = "a compare-exchange that succeeds although the value was changed and changed back",
     .kind = OutcomeKind::kAtomicityViolation,
     .explains = true,
     .explanations = Aba::kExplanations,
     .create = create_detector<Aba>},
    {.id = DetectorId::kDoubleChecked,
     .name = "double-checked",
     .finds = "double-checked locking whose first check has no acquire",
     .kind = OutcomeKind::kOrderViolation,
     .precise = true,
     .exact_order = true,
     .explains = true,
     .explanations = DoubleChecked::kExplanations,
     .create = create_detector<DoubleChecked>},
    {.id = DetectorId::kUseBeforeSet,
     .name = "use-before-set",
     .finds = "memory that a thread uses before another has set it, or after another wrote null",
     .kind = OutcomeKind::kOrderViolation,
     .exact_order = true,
     .explains = true,
     .explanations = UseBeforeSet::kExplanations,
     .create = create_detector<UseBeforeSet>},
    {.id = DetectorId::kViews,
     .name = "views",
     .finds = "variables that one thread uses in one critical section and another in several (view consistency)",
     .kind = OutcomeKind::kAtomicityViolation,
     .explains = true,
     .explanations = Views::kExplanations,
     .create = create_detector<Views>},
    {.id = DetectorId::kSerialisable,
     .name = "serialisable",
     .finds = "a ravel::atomic_region that is equivalent to no undisturbed one (conflict serialisability)",
     .kind = OutcomeKind::kAtomicityViolation,
     .precise = true,
     .in_default = true,
     .exact_order = true,
     .explains = true,
     .explanations = Serialisable::kExplanations,
     .create = create_detector<Serialisable>},
    {.id = DetectorId::kReduction,
     .name = "reduction",
     .finds = "a ravel::atomic_region that takes a lock after releasing one (Lipton's reduction)",
     .kind = OutcomeKind::kAtomicityViolation,
     .explanations = LiptonReduction::kExplanations,
     .create = create_detector<LiptonReduction>},
    {.id = DetectorId::kPset,
     .name = "pset",
     .finds = "an access that follows another thread's access it never followed in training (predecessor sets)",
     .kind = OutcomeKind::kOrderViolation,
     .exact_order = true,
     .learns = true,
     .needs_training = true,
     .explanations = Pset::kExplanations,
     .create = create_detector<Pset>},
    {.id = DetectorId::kLostSignal,
     .name = "lost-signal",
     .finds = "a signal that never reached the thread waiting for it: sent too early, or another thread was woken",
     .kind = OutcomeKind::kLostSignal,
     .precise = true,
     .exact_order = true,
     .explains = true,
     .explanations = LostSignal::kExplanations,
     .create = create_detector<LostSignal>},
    {.id = DetectorId::kUncheckedWait,
     .name = "unchecked-wait",
     .finds = "a wait on a condition variable without a predicate, or not in a loop that checks it again",
     .kind = OutcomeKind::kLostSignal,
     .exact_order = true,
     .explains = true,
     .explanations = UncheckedWait::kExplanations,
     .create = create_detector<UncheckedWait>},
    {.id = DetectorId::kBlocked,
     .name = "blocked-thread",
     .finds = "why threads wait for ever: own lock, holder ended, copied lock, nested monitors, nobody left to signal",
     .kind = OutcomeKind::kBlockedThread,
     .precise = true,
     .explains = true,
     .explanations = Blocked::kExplanations,
     .create = create_detector<Blocked>},
    {.id = DetectorId::kHeldAtExit,
     .name = "held-at-exit",
     .finds = "a thread that ends while it holds a lock",
     .kind = OutcomeKind::kMisuse,
     .precise = true,
     .in_default = true,
     .explanations = HeldAtExit::kExplanations,
     .create = create_detector<HeldAtExit>},
    {.id = DetectorId::kNestedWait,
     .name = "nested-wait",
     .finds = "a wait for a signal while another lock is held",
     .kind = OutcomeKind::kBlockedThread,
     .explanations = NestedWait::kExplanations,
     .create = create_detector<NestedWait>},
    {.id = DetectorId::kLivelock,
     .name = "livelock",
     .finds = "why an execution does not end: threads that undo each other's work, a lock that others always get first",
     .kind = OutcomeKind::kLivelock,
     .also = OutcomeKind::kStarvation,
     .explains = true,
     .explanations = Livelock::kExplanations,
     .create = create_detector<Livelock>},
    {.id = DetectorId::kDeadStack,
     .name = "dead-stack",
     .finds = "an access to the stack of a thread that has ended",
     .kind = OutcomeKind::kUseAfterFree,
     .precise = true,
     .in_default = true,
     .explanations = DeadStack::kExplanations,
     .create = create_detector<DeadStack>},
    {.id = DetectorId::kPredictedSignal,
     .name = "predicted-signal",
     .finds = "signals that another schedule loses; reported once a schedule has reached the deadlock",
     .kind = OutcomeKind::kLostSignal,
     .precise = true,
     .exact_order = true,
     .predicts = true,
     .explanations = PredictedSignal::kExplanations,
     .create = create_detector<PredictedSignal>},
    {.id = DetectorId::kRaceTrack,
     .name = "racetrack",
     .finds = "variables that threads without a lock in common may use at the same time, by creation and joining",
     .kind = OutcomeKind::kDataRace,
     .explanations = RaceTrack::kExplanations,
     .create = create_detector<RaceTrack>},
    {.id = DetectorId::kUnits,
     .name = "units",
     .finds = "a write computed from what another thread has changed since it was read (computational units)",
     .kind = OutcomeKind::kAtomicityViolation,
     .exact_order = true,
     .explanations = Units::kExplanations,
     .create = create_detector<Units>},
    {.id = DetectorId::kAtomicSets,
     .name = "atomic-sets",
     .finds = "regions over the members of one object that another region disturbs in one of eleven ways",
     .kind = OutcomeKind::kAtomicityViolation,
     .exact_order = true,
     .explanations = AtomicSets::kExplanations,
     .create = create_detector<AtomicSets>},
};
static_assert(sizeof(kRows) / sizeof(kRows[0]) == static_cast<std::size_t>(DetectorId::kCount));
static_assert(static_cast<std::size_t>(DetectorId::kCount) <= 64);

template <class Wanted>
std::uint64_t bits_where(Wanted wanted) {
  std::uint64_t bits = 0;
  for (const DetectorRow& row : kRows) {
    if (wanted(row)) bits |= detector_bit(row.id);
  }
  return bits;
}

}  // namespace

std::span<const DetectorRow> detector_table() {
  return kRows;
}

const DetectorRow* find_detector(std::string_view name) {
  for (const DetectorRow& row : kRows) {
    if (row.name == name) return &row;
  }
  return nullptr;
}

std::uint64_t default_detectors() {
  return bits_where([](const DetectorRow& row) { return row.in_default; });
}

std::uint64_t all_detectors() {
  return bits_where([](const DetectorRow&) { return true; });
}

std::uint64_t explaining_detectors() {
  return bits_where([](const DetectorRow& row) { return row.explains; });
}

std::uint64_t untrained_detectors() {
  return bits_where([](const DetectorRow& row) { return row.needs_training; });
}

std::uint64_t detectors_of(OutcomeKind kind) {
  return bits_where([&](const DetectorRow& row) { return row.kind == kind || row.also == kind; });
}

// Detectors by the class of what they find. Those that predict a deadlock find deadlocks.
static std::uint64_t detectors_of_class(std::string_view name) {
  for (std::size_t i = 0; i < static_cast<std::size_t>(OutcomeKind::kCount); ++i) {
    const auto kind = static_cast<OutcomeKind>(i);
    if (outcome_name(kind) != name) continue;
    return detectors_of(kind) | (kind == OutcomeKind::kDeadlock ? detectors_of(OutcomeKind::kPotentialDeadlock) : 0);
  }
  return 0;
}

std::optional<std::uint64_t> parse_detectors(std::string_view list, std::string_view& wrong) {
  std::uint64_t bits = 0;
  for (;;) {
    const std::size_t comma = list.find(',');
    const std::string_view name = list.substr(0, comma);
    if (name == "all") {
      bits |= all_detectors();
    } else if (name == "precise") {
      bits |= bits_where([](const DetectorRow& row) { return row.precise; });
    } else if (name == "default") {
      bits |= default_detectors();
    } else if (const DetectorRow* row = find_detector(name)) {
      bits |= detector_bit(row->id);
    } else if (const std::uint64_t of_class = detectors_of_class(name); of_class != 0) {
      bits |= of_class;
    } else if (name != "none") {
      wrong = name;
      return std::nullopt;
    }
    if (comma == std::string_view::npos) return bits;
    list.remove_prefix(comma + 1);
  }
}

}  // namespace ravel
