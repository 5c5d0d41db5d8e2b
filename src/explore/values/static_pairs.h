// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Ravel authors
//
// What static facts add to what executions have shown: pairs with targets that nobody has seen, which pairs are about
// one object for certain, and which places a thread can still get to.
//
// A help, never needed: conflicts that are seen join the pairs anyway (learned_facts.h). So a pair whose two accesses
// were both seen, and never on the same thing, is not planned for any more, and the reachability is given up when an
// execution contradicts it.
//
// Only grows.
#pragma once

#include <cstdint>
#include <memory_resource>

#include "base/zeroed_array.h"
#include "explore/values/access_classes.h"
#include "explore/values/execution_view.h"
#include "explore/values/kept_pairs.h"
#include "explore/values/learned_facts.h"
#include "explore/values/thread_lines.h"
#include "model/static_facts.h"

namespace ravel::values {

class StaticPairs {
 public:
  StaticPairs(std::pmr::memory_resource& memory, const StaticFacts& facts, AccessClasses& classes,
              const ThreadLines& lines);

  [[nodiscard]] bool any() const { return !facts_.sites.empty() || !kept_.rows().empty(); }
  // Before LearnedFacts::learn: what is seen for the first time, and was planned for. Calls `visit` with the class and
  // what stood in for it.
  template <class Visit>
  void visit_expected(const ExecutionView& view, Visit&& visit) const {
    for (ClassId access = entered_; any() && access < classes_.count(); ++access) {
      const ClassId stand_in = stand_in_of(view, access);
      if (stand_in != kNoClass) visit(access, stand_in);
    }
  }
  [[nodiscard]] const ClassRelation& planned() const { return *pairs_; }
  // Behind LearnedFacts::learn.
  void learn(const ExecutionView& view, const TraceView& trace);

  [[nodiscard]] std::uint64_t version() const { return version_; }
  // Of what can be reached; 0: nothing is known.
  [[nodiscard]] std::uint64_t key() const { return key_; }
  [[nodiscard]] bool reach_is_used() const { return any() && !contradicted_ && !facts_.reach.empty(); }
  [[nodiscard]] bool is_must(ClassId a, ClassId b) const { return any() && must_->has(a, b); }
  [[nodiscard]] bool has_must(ClassId access) const { return any() && must_->has_any(access); }
  [[nodiscard]] bool is_pair(ClassId a, ClassId b) const { return any() && pairs_->has(a, b); }
  // The place in the user's code; 0: unknown.
  [[nodiscard]] LocationId user_place(ClassId access) const { return any() ? places_[access] : LocationId{0}; }
  // From an operation of class `from` that has not been executed yet.
  [[nodiscard]] bool may_reach(ClassId from, ClassId to) const;
  // A class that was never executed, and of which nothing at its place was.
  [[nodiscard]] bool is_open(ClassId access) const { return classes_[access].assumed != 0 && closed_[access] == 0; }

  // Goals with a target that nobody has seen that were dropped; from kMostDrops on it is waited for, not planned.
  static constexpr std::uint8_t kMostDrops = 8;
  [[nodiscard]] std::uint8_t& drops_of(ClassId target) { return drops_.at(target); }
  void note_given_up() { ++given_up_; }
  [[nodiscard]] std::uint64_t given_up() const { return given_up_; }

  template <class Visit>
  void visit_partners(ClassId access, Visit&& visit) const {
    if (!any()) return;
    pairs_->visit(access, classes_.count(), [&](ClassId target) {
      if (is_open(target) && drops_[target] < kMostDrops) visit(target);
    });
  }
  struct Counts {
    std::uint64_t assumed = 0;  // pairs with an access that nobody has seen
    std::uint64_t added = 0;    // conflicts that the facts do not know
    std::uint64_t refuted = 0;  // pairs whose accesses were seen, and never on the same thing
    std::uint64_t kept = 0;     // of earlier runs
  };
  [[nodiscard]] Counts count(const LearnedFacts& learned) const;
  // For later runs of the same build.
  void hand_over(const LearnedFacts& learned, KeptPairTable& out) const;

 private:
  static constexpr std::uint32_t kHeads = 1u << 13;
  static constexpr std::uint32_t kMostFrames = 64;

  void list_locations(std::pmr::memory_resource& memory);
  void learn_threads(const ExecutionView& view, const TraceView& trace);
  [[nodiscard]] std::uint64_t classes_created_by(const ThreadRecord& thread) const;
  std::uint32_t stack_of(LocationId location, ContextId context, ContextId root, LocationId* out) const;
  void enter(ClassId access);
  void pair_up(ClassId access);
  void pair_up_kept(ClassId access);
  [[nodiscard]] std::uint32_t key_of(std::uint32_t thread) const;
  [[nodiscard]] KeptAccess kept_form(ClassId access) const;
  [[nodiscard]] bool was_seen(const KeptAccess& access) const;
  [[nodiscard]] bool conflict_there(const LearnedFacts& learned, ClassId a, ClassId b) const;
  void pair_with(ClassId access, const FactPartner& partner, std::uint32_t thread);
  [[nodiscard]] ClassId stand_in_of(const ExecutionView& view, ClassId access) const;
  void add(ClassId a, ClassId b, bool must);
  void add_kept(ClassId a, ClassId b);
  void check_reach(const ExecutionView& view);
  [[nodiscard]] Reach ask(ClassId from, ClassId to) const;
  [[nodiscard]] bool seen_at(std::uint32_t thread, LocationId location) const;
  [[nodiscard]] static std::uint32_t head_of(std::uint32_t thread, LocationId location);

  const StaticFacts facts_;
  KeptPairs kept_;
  AccessClasses& classes_;
  const ThreadLines& lines_;
  ClassRelation* pairs_ = nullptr;
  ClassRelation* must_ = nullptr;
  ClassRelation* of_earlier_ = nullptr;        // pairs that earlier runs saw
  ClassRelation* asked_ = nullptr;             // answered in reaches_
  ClassRelation* reaches_ = nullptr;           // by the code graph
  ZeroedArray<LocationId> places_;             // by class
  ZeroedArray<std::uint32_t> heads_;           // by thread and location: the first class
  ZeroedArray<ClassId> next_;                  // by class: another of the same
  ZeroedArray<std::uint8_t> drops_;            // by class
  ZeroedArray<std::uint8_t> closed_;           // by class: not 0: an operation was seen at its place
  ZeroedArray<std::uint64_t> thread_classes_;  // by thread: classes of the facts, as bits; 0: not known
  ZeroedArray<ContextId> roots_;               // by thread: where it was created
  std::uint32_t* first_location_ = nullptr;    // by site and one more: of locations_
  LocationId* locations_ = nullptr;
  std::span<const ContextRecord> contexts_{};
  std::uint32_t threads_ = 0;  // 1 + the highest name
  std::uint32_t entered_ = 0;  // classes that are in the index
  std::uint32_t known_ = 0;    // ... before this execution
  std::uint64_t version_ = 0;
  std::uint64_t given_up_ = 0;  // targets
  std::uint64_t key_ = 0;
  bool contradicted_ = false;
};

}  // namespace ravel::values
