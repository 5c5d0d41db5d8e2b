// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Ravel authors
//
// sync: what happened at each synchronisation operation. All operations of a kind have the same modes, so the modes
// that a place has not shown are known (sync_modes_of). A holder blocks at the place where it took the lock.
#include "cover/sync_modes.h"

#include "cover/metric.h"
#include "cover/metrics.h"
#include "semantics/barrier.h"

namespace ravel {
namespace {

using enum CoverWord;
constexpr CoverWord kLockModes[] = {kVisited, kBlocked, kBlocking};
constexpr CoverWord kTryLockModes[] = {kVisited, kTryFailed, kBlocking};
constexpr CoverWord kWaitModes[] = {kVisited, kBlocked};
constexpr CoverWord kTryModes[] = {kVisited, kTryFailed};
constexpr CoverWord kConditionModes[] = {kSignalled, kUnsignalled};
constexpr CoverWord kSignalModes[] = {kHeard, kUnheard};
constexpr CoverWord kBarrierModes[] = {kBlocked, kLast};
constexpr CoverWord kOnceModes[] = {kRan, kFound, kBlocked};

class SyncModes final : public Metric {
 public:
  SyncModes(std::pmr::memory_resource& memory, const CoverServices& services)
      : Metric(services), holders_(memory, 1u << 14) {}

  void begin() override { holders_.clear(); }
  void on_event(const Event& e, const Moment&) override {
    const std::span<const CoverWord> modes = sync_modes_of(e.kind);
    const LockHold* taken = op_class(e.kind) == OpClass::kSync ? services_.locks.just_taken() : nullptr;
    if (!modes.empty()) {
      const Atom place = services_.identity.place(e);
      if (modes[0] == kVisited) {
        visit(e, place);
      } else {
        say(place, e.kind, mode_of(e));
        if (e.kind == OpKind::kOnceBegin && (e.bits & kHadToWait) != 0) say(place, e.kind, kBlocked);
      }
    }
    if (taken != nullptr) note_holder(*taken);
  }

  // Who still waits at the end.
  void finish(const TraceView& trace) override {
    const ExecutionResult& result = *trace.result;
    for (std::uint32_t i = 0; i < result.waiting && i < kMaxWaiting; ++i) {
      const WaitingRecord& waiting = result.waiting_table[i];
      const std::span<const CoverWord> modes = sync_modes_of(waiting.wants);
      if (modes.empty() || waiting.location == 0 || modes[0] != kVisited) continue;
      const Atom place = services_.identity.place(waiting.location, waiting.context);
      say(place, waiting.wants, kVisited);
      say(place, waiting.wants, kBlocked);
      const bool held = waiting.held_since != 0 && waiting.role == HolderRole::kOwner;
      if (held && modes.back() == kBlocking) {
        const Holder* holder = holders_.find(std::uint64_t{waiting.object} << 32 | waiting.offset);
        const OpKind by = holder == nullptr ? waiting.wants : holder->kind;
        say(services_.identity.place(waiting.held_since, waiting.held_context), by, kBlocking);
      }
    }
  }
  [[nodiscard]] bool truncated() const override { return holders_.full(); }

 private:
  struct Holder {
    Atom place = 0;
    OpKind kind = OpKind::kNone;
  };

  void say(Atom place, OpKind primitive, CoverWord mode) {
    if (place != 0) emit(MetricId::kSync, {place, word_atom(mode, primitive)});
  }
  void visit(const Event& e, Atom place) {
    say(place, e.kind, kVisited);
    const std::span<const CoverWord> modes = sync_modes_of(e.kind);
    if (modes[1] == kTryFailed && e.failed()) say(place, e.kind, kTryFailed);
    if (modes[1] != kBlocked || (e.bits & (kHadToWait | kTimeout)) == 0) return;
    say(place, e.kind, kBlocked);
    if (modes.back() != kBlocking) return;
    const Holder* holder = holders_.find(place_of(e));
    if (holder != nullptr) say(holder->place, holder->kind, kBlocking);
  }
  static CoverWord mode_of(const Event& e) {
    switch (e.kind) {
      case OpKind::kCondReacquire:
        return (e.bits & kTimeout) != 0 ? kTimedOut : (e.bits & kSpurious) != 0 ? kUnsignalled : kSignalled;
      case OpKind::kCondSignal:
        return static_cast<ThreadIndex>(e.value) == kNoThread ? kUnheard : kHeard;
      case OpKind::kCondBroadcast:
        return e.value == 0 ? kUnheard : kHeard;
      case OpKind::kBarrierArrive:
        return e.value == kFilledRound ? kLast : kBlocked;
      default:
        return e.value == 0 ? kFound : kRan;
    }
  }
  void note_holder(const LockHold& taken) {
    // A wait gets its mutex back without being a place where a lock is taken.
    if (taken.taken.kind == OpKind::kCondReacquire) return;
    if (Holder* holder = holders_.get(taken.place)) *holder = {services_.identity.place(taken.taken), taken.taken.kind};
  }

  KeyedPool<Holder> holders_;  // who took each lock last
};

}  // namespace

std::span<const CoverWord> sync_modes_of(OpKind kind) {
  switch (kind) {
    case OpKind::kMutexLock:
    case OpKind::kRwReadLock:
    case OpKind::kRwWriteLock:
      return kLockModes;
    case OpKind::kMutexTryLock:
    case OpKind::kRwTryReadLock:
    case OpKind::kRwTryWriteLock:
      return kTryLockModes;
    case OpKind::kSemWait:
    case OpKind::kThreadJoin:
      return kWaitModes;
    case OpKind::kSemTryWait:
      return kTryModes;
    case OpKind::kCondReacquire:
      return kConditionModes;
    case OpKind::kCondSignal:
    case OpKind::kCondBroadcast:
      return kSignalModes;
    case OpKind::kBarrierArrive:
      return kBarrierModes;
    case OpKind::kOnceBegin:
      return kOnceModes;
    default:
      return {};
  }
}

Metric* create_sync_modes(std::pmr::memory_resource& memory, const CoverServices& services) {
  return make_metric<SyncModes>(memory, services);
}

}  // namespace ravel
