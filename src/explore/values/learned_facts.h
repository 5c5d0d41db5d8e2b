// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Ravel authors
//
// What executions have shown: which classes conflict (pairs), what the operations of a class were about, and which
// class follows which in one thread, so that it can be reached from there. A conflict counts when the two were not kept
// apart by a common lock or by the creation or end of a thread. What is pending at the end of an execution conflicts
// like what was executed.
//
// Only grows. version() tells a search whose completed parts did not know what is known now. They are not concerned by
// what is about classes that this execution is the first to show: no point had one as its trigger, no thread stood
// there, and as a target it matters only to its pairs.
#pragma once

#include <cstdint>
#include <memory_resource>

#include "base/zeroed_array.h"
#include "explore/values/access_classes.h"
#include "explore/values/alike_steps.h"
#include "explore/values/execution_view.h"

namespace ravel::values {

class LearnedFacts {
 public:
  explicit LearnedFacts(std::pmr::memory_resource& memory);

  // Steps before `from` are those of an execution that was learned before.
  // An operation of the class, which this execution is the first to show, was planned for already, as `stand_in`:
  // points whose trigger is a pair with that have such a goal. `planned`: these pairs.
  void expect(ClassId access, ClassId stand_in, const ClassRelation& planned) {
    stand_ins_.at(access) = stand_in + 1;
    planned_ = &planned;
  }
  // `classes`: that there are now.
  void learn(const ExecutionView& view, std::uint32_t from, std::uint32_t classes);
  [[nodiscard]] std::uint64_t version() const { return version_; }
  [[nodiscard]] std::uint64_t pairs() const { return pair_count_; }
  // ... of them with an operation that lets others enter: no kind of pair that is known beforehand.
  [[nodiscard]] std::uint64_t pairs_of_releases() const { return release_pairs_; }
  // Some step has more different earlier ones that it may conflict with than are compared: pairs may be missing.
  [[nodiscard]] bool left_out() const { return left_out_; }

  [[nodiscard]] bool is_pair(ClassId a, ClassId b) const { return pairs_.has(a, b); }
  // In one thread: from an operation of class `from` that has not been executed yet.
  [[nodiscard]] bool reaches(ClassId from, ClassId to) const { return from == to || follows_.has(from, to); }
  // An operation of the class was seen on something that the trigger is about. Elements of arrays are distinguished by
  // this: a pair of classes meets on few of them.
  [[nodiscard]] bool meets(ClassId target, OpKind kind, const Step& trigger) const;
  [[nodiscard]] bool may_fail(ClassId access) const { return fails_[access]; }
  // Its thread was seen to execute it more than once on what the trigger is about.
  [[nodiscard]] bool comes_again(ClassId access, OpKind kind, const Step& trigger) const;
  template <class Visit>
  void visit_pairs(std::uint32_t classes, Visit&& visit) const {
    for (ClassId a = 0; a < classes; ++a) {
      pairs_.visit(a, classes, [&](ClassId b) {
        if (a < b) visit(a, b);
      });
    }
  }
  template <class Visit>
  void visit_partners(ClassId access, std::uint32_t classes, Visit&& visit) const {
    pairs_.visit(access, classes, visit);
  }

 private:
  static constexpr std::uint32_t kMaxHeld = 8;
  static constexpr std::uint32_t kMaxColumns = 128;
  static constexpr std::uint32_t kCellSlots = 1u << 17;
  static constexpr std::uint64_t kAllBytes = 0xff;  // of a word
  static constexpr std::uint32_t kMostLate = 48;    // executions
  struct Held {
    std::uint64_t places[kMaxHeld] = {};
    std::uint8_t count = 0;
  };

  void track(const Step& step);
  void order_lives(const ExecutionView& view, const Step& step);
  void learn_conflicts(const ExecutionView& view, const Step& step, ClassId access, std::uint32_t bound);
  void learn_conflict(const ExecutionView& view, std::uint32_t earlier, const Step& step, ClassId access,
                      std::uint32_t bound);
  [[nodiscard]] bool are_alike(const Steps& steps, std::uint32_t earlier, std::uint32_t later) const;
  [[nodiscard]] bool kept_apart(const Step& earlier, std::uint32_t earlier_step, const Step& later) const;
  void learn_what_follows(ClassId access, ClassId later);
  void learn_order(const ExecutionView& view);
  [[nodiscard]] bool is_new(ClassId access) const { return access >= known_classes_; }
  [[nodiscard]] bool was_planned(ClassId known, ClassId fresh) const {
    return is_new(fresh) && stand_ins_[fresh] != 0 && planned_->has(known, stand_ins_[fresh] - 1);
  }
  bool add_pair(ClassId a, ClassId b);
  void note_places(ClassId access, const OperationView& op);
  [[nodiscard]] std::uint32_t slot_of(ClassId access, std::uint64_t cell) const;
  static std::uint64_t key_of(ClassId access, std::uint64_t cell);
  void note_cell(ClassId access, std::uint64_t cell, std::uint64_t bytes);
  void note_again(ClassId access, std::uint64_t cell, std::uint64_t bytes, std::uint32_t slot);
  [[nodiscard]] bool is_met(ClassId access, std::uint64_t cell, std::uint64_t bytes) const;
  template <class Visit>
  static void visit_cells(const OperationView& op, Visit&& visit);

  ClassRelation pairs_;
  ClassRelation follows_;
  ZeroedArray<bool> fails_;           // by class: an unlock that failed
  ZeroedArray<std::uint64_t> cells_;  // classes and words that they were about: hashes, open addressing, and
                                      // in the last byte which bytes of the word; 0: free
  // By slot of `cells_`: bytes that more than one operation of an execution was about; and those of the execution in
  // hand, behind its number.
  ZeroedArray<std::uint8_t> again_;
  ZeroedArray<std::uint64_t> now_;
  ZeroedArray<std::uint8_t> least_;    // by class: bytes of its smallest access, at most 8; 0: not seen yet
  ZeroedArray<std::uint64_t> behind_;  // by class: what was learned last of what follows it: execution, column, classes
  ZeroedArray<ClassId> stand_ins_;     // by class that is new: 1 + what was planned for in its place
  const ClassRelation* planned_ = nullptr;
  std::uint64_t learned_ = 0;        // executions
  std::uint32_t known_classes_ = 0;  // before this one
  std::uint32_t cell_count_ = 0;
  std::uint32_t late_ = 0;   // executions that showed a pair to meet somewhere else
  bool new_places_ = false;  // ... this one did
  bool left_out_ = false;
  bool any_place_ = false;  // places are not distinguished: they are too many, or new ones come again and again
  std::uint64_t version_ = 0;
  std::uint64_t pair_count_ = 0;
  std::uint64_t release_pairs_ = 0;
  Held* held_;                 // by column, now
  Held* held_at_;              // by step, before it
  std::uint32_t columns_ = 0;  // of the execution that is learned, as far as they are distinguished
  AlikeSteps alike_;           // the steps so far
  std::uint32_t* known_;       // by column and column: positions that are ordered before by creation and join
  ClassId* seen_;              // scratch of learn_order
};

}  // namespace ravel::values
