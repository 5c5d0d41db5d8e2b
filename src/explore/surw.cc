// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Ravel authors
//
// surw: each execution is uniform over the orders of a few operations (runtime/policy/surw_policy.cc has the paper):
// the accesses to one object, drawn anew each time, at up to kMaxParkPlaces places of the code. With a and b such
// operations in two threads each order has probability 1 / C(a + b, a).
//
// Departures: which operations each object has, and in which thread, is learned from the last execution that was drawn
// for learning (every kLearnEvery-th, by POS); there is no profiling run of its own.
#include "base/hash.h"
#include "explore/event_scan.h"
#include "explore/sampling.h"
#include "explore/strategies.h"
#include "semantics/effects.h"

namespace ravel {
namespace {

constexpr std::uint64_t kLearnEvery = 32;
constexpr std::uint64_t kMostEvents = 1u << 16;
constexpr std::uint32_t kMostObjects = 64;

struct Object {
  std::uint64_t place = 0;  // in the execution that was learned from
  std::uint32_t threads = 0;
  LocationId at[kMaxParkPlaces] = {};
  std::uint16_t counts[kMaxCounted] = {};
};

struct State {
  std::uint32_t objects = 0;
  std::uint32_t learned = 0;  // which of the two lists
};

class Surw final : public Strategy {
 public:
  Surw(std::pmr::memory_resource& memory, const StrategyOptions& options)
      : seed_(options.seed),
        shard_(options.shard_index),
        shards_(options.shard_count == 0 ? 1 : options.shard_count),
        lists_(static_cast<Object*>(memory.allocate(sizeof(Object) * 2 * kMostObjects, alignof(Object)))) {}

  bool next(PlanWriter& plan) override {
    const State& s = state_.current();
    plan.spec.prefix_segments = 0;
    PolicySpec& policy = plan.spec.policy = PolicySpec{};
    Random random(derive_seed(seed_, state_.steps() * shards_ + shard_));
    policy.seed = random.next();
    policy.kind = PolicyKind::kPos;
    if (learns() || s.objects == 0) return true;
    const Object& one = list(s)[random.below(s.objects)];
    policy.kind = PolicyKind::kSurw;
    for (unsigned i = 0; i < kMaxParkPlaces; ++i) policy.park_at[i] = one.at[i];
    for (unsigned i = 0; i < kMaxCounted; ++i) policy.counts[i] = one.counts[i];
    return true;
  }

  Share learn(const Execution& execution) override {
    const bool looks = learns() && ran_to_its_end(execution.result.outcome);
    State& s = state_.prepare();
    if (looks) count(s, execution);
    state_.commit();
    return Share::kCounts;
  }

  void recover(std::uint64_t learned) override { state_.recover(learned); }

 private:
  [[nodiscard]] bool learns() const { return state_.steps() % kLearnEvery < 2; }  // the second knows racy points
  [[nodiscard]] Object* list(const State& s) const { return lists_ + s.learned % 2 * kMostObjects; }

  // Into the list that is not in use: a kill leaves the other one as it was.
  void count(State& s, const Execution& execution) const {
    ++s.learned;
    Object* objects = list(s);
    std::uint32_t count = 0;
    scan_events(execution.trace, kMostEvents, [&](const Event& e, std::uint64_t operand) {
      const OpClass cls = op_class(e.kind);
      if (operand == kNoPoint || (!is_memory_access(e.kind) && cls != OpClass::kSync)) return;
      std::uint32_t i = 0;
      while (i < count && objects[i].place != place_of(e)) ++i;
      if (i == kMostObjects) return;
      if (i == count) objects[count++] = Object{place_of(e)};
      add(objects[i], e);
    });
    s.objects = 0;  // of those that several threads use
    for (std::uint32_t i = 0; i < count; ++i) {
      if ((objects[i].threads & (objects[i].threads - 1)) != 0) objects[s.objects++] = objects[i];
    }
  }

  static void add(Object& object, const Event& e) {
    unsigned i = 0;
    while (i < kMaxParkPlaces && object.at[i] != 0 && object.at[i] != e.location) ++i;
    if (i == kMaxParkPlaces) return;
    object.at[i] = e.location;
    object.threads |= 1u << (e.thread % 32);
    if (e.thread < kMaxCounted && object.counts[e.thread] != 0xffff) ++object.counts[e.thread];
  }

  std::uint64_t seed_;
  std::uint32_t shard_;
  std::uint32_t shards_;
  Object* lists_;
  TwoSlots<State> state_;
};

}  // namespace

StrategyParts create_surw(std::pmr::memory_resource& memory, const StrategyOptions& options, std::string_view&) {
  return make_strategy<Surw>(memory, memory, options);
}

}  // namespace ravel
