// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Ravel authors
//
// Steps: one execution as the reducing strategies see it. Built event by event while the program runs; then order()
// computes happens-before under the dependence table (not that of the C++ memory model, which is causality/'s).
//
// A step is an operation that was a scheduling point. Listed steps can be scheduled: they are what a prefix by steps is
// made of. Operations excluded from the points run as soon as they can; they are steps, because order goes through
// them, but not listed.
//
// Fair time: a time-out comes only when nobody can run, so all steps before it are ordered before all after it. The
// runtime counts these moments; a phase is what lies between two of them.
//
// Scratch: nothing here survives an execution, except the names of threads and the order of the steps that the next
// execution begins with: a search runs neighbouring schedules one after the other. A step's order follows from the
// steps before it, so what is equal from the first step on is not ordered again (PlanSpec::without_shortcuts: it is).
#pragma once

#include <cstdint>
#include <cstring>
#include <memory_resource>
#include <span>

#include "explore/act.h"
#include "explore/step_index.h"
#include "explore/strategy.h"
#include "explore/thread_names.h"
#include "model/trace_view.h"

namespace ravel {

inline constexpr std::uint32_t kNoStep = 0xffffffffu;

// Where an operation acts, hashed.
struct Keys {
  std::uint64_t mask = 0;  // no common bit: independent
  Spot spot = kSeveral;
};

struct Step {
  Act act;
  std::uint64_t operand = 0;  // TraceView::operands
  Keys keys;
  std::uint32_t column = 0;          // the thread's index in this execution
  std::uint32_t position = 0;        // n-th step of its thread, from 1
  std::uint32_t previous = kNoStep;  // of its thread
  std::uint32_t options = 0;         // alternatives of its data choice; below 2: none
  std::uint32_t phase = 0;
  std::uint32_t decision = kNoStep;  // of the thread, where another could have run
  LastingName gate = 0;              // object whose sequence it is part of, if the plan has one
  LastingName name = 0;              // Steps::name_place
  bool chosen = false;
  bool listed = false;
  bool waited = false;      // was disabled for a while
  bool pending = false;     // never came to run
  std::uint32_t fired = 0;  // of a time-out: the phase that began with it
};

// Two of them are independent, whatever they read. Not what might have written, had it come earlier.
inline bool reads_only(const Act& act) {
  return family_of(act.op.kind) == OpFamily::kMemory && !has_write_effect(act.op.kind, 0);
}

inline bool looks_at_memory(OpKind kind) {
  return has_read_effect(kind) || kind == OpKind::kFutexWait;
}
// What an access has found, and what it has left behind.
inline std::uint64_t value_found(const Step& step) {
  return looks_at_memory(step.act.op.kind) ? step.act.op.value : step.operand;
}
inline std::uint64_t value_left(const Step& step) {
  const OpKind kind = step.act.op.kind;
  const bool operand = kind == OpKind::kAtomicRmw || (kind == OpKind::kAtomicCas && !did_fail(step.act.op));
  return operand ? step.operand : step.act.op.value;
}

// A wait for a condition; one that fails, for the mutex is not the thread's, does nothing.
inline bool gives_mutex_back(const OperationView& op) {
  return op.kind == OpKind::kCondWait && !did_fail(op);
}

// Which steps are ordered.
enum class StepOrder : std::uint8_t {
  kDependence,  // those that conflict()
  kObjects,     // ... and all accesses of one object: object_conflict()
  kSequences,   // completions on one object, and what happens before them: race_sets.h
};

class Steps {
 public:
  static constexpr std::uint32_t kMaxSteps = 1u << 19;
  static constexpr std::uint32_t kMaxClocks = 1u << 24;

  // `common': zeroed memory that all processes have which are to give the same names to the same threads.
  explicit Steps(std::pmr::memory_resource& memory, StepOrder order = StepOrder::kDependence,
                 std::pmr::memory_resource* common = nullptr);

  void begin(const TraceView& trace);
  void add(const Event& e, std::uint64_t operand);
  // Behind the last event: data choices, the end, pending operations, clocks. False: too big to be analysed.
  [[nodiscard]] bool finish(const TraceView& trace, std::span<const DecisionRecord> decisions);

  [[nodiscard]] std::uint32_t count() const { return count_; }
  [[nodiscard]] const Step& operator[](std::uint32_t i) const { return steps_[i]; }
  // What threads were about to do when the program ended or stood still, as steps that never came.
  [[nodiscard]] std::span<const Step> pending() const { return {pending_, pending_count_}; }
  // Clocks: one number a thread, the position of its last step that is ordered before or is this one.
  // Behind the columns there are zeros up to a multiple of four.
  [[nodiscard]] const std::uint32_t* clock(std::uint32_t step) const { return clocks_ + std::size_t{step} * stride_; }
  [[nodiscard]] std::uint32_t columns() const { return columns_; }
  [[nodiscard]] std::uint32_t name_of_column(std::uint32_t column) const { return name_[column]; }
  // The larger of two clocks, column by column.
  void join(std::uint32_t* to, const std::uint32_t* from) const;
  void set_clock(std::uint32_t* to, const std::uint32_t* from) const {
    std::memcpy(to, from, sizeof(std::uint32_t) * stride_);
  }
  [[nodiscard]] Keys keys_of(const Act& act) const;
  // Hashes of what is at a place: an object with operations of its own, or memory. A mutex is memory, too.
  [[nodiscard]] static Spot spot_of(std::uint64_t place);
  [[nodiscard]] static Spot spot_of_memory(std::uint64_t place);
  [[nodiscard]] static Spot spot_of_thread(std::uint32_t thread);
  [[nodiscard]] const StepIndex& index() const { return index_; }
  [[nodiscard]] bool is_before(std::uint32_t a, std::uint32_t b) const {
    return steps_[a].position <= clock(b)[steps_[a].column];
  }
  [[nodiscard]] bool conflicts(const Act& a, const Act& b) const {
    return order_ == StepOrder::kObjects ? object_conflict(a, b) : conflict(a, b);
  }
  // Everything before this step that may conflict with it is ordered before it.
  [[nodiscard]] bool covers(std::uint32_t step) const { return covers_[step]; }

  enum class Related : std::uint8_t { kOpen, kOrdered, kAllOrdered };
  // Calls visit(j) for the steps below `bound` that may conflict with `step`, the latest first, until one that is
  // ordered before the step (kOrdered) covers all that are left, or all are (kAllOrdered).
  template <class Visit>
  void visit_related(const Step& step, std::uint32_t bound, Visit&& visit) const {
    const std::uint64_t mask = step.keys.mask;
    if (step.keys.spot == kSeveral) {
      for (std::uint32_t j = bound; j-- > 0;) {
        if ((steps_[j].keys.mask & mask) == 0) continue;
        const bool same = steps_[j].keys.spot == kSeveral && (mask & ~steps_[j].keys.mask) == 0;
        const Related related = visit(j);
        if (related == Related::kAllOrdered || (related == Related::kOrdered && same && covers_[j])) return;
      }
      return;
    }
    StepIndex::Walk walk = index_.walk(step.keys.spot, bound, order_ == StepOrder::kDependence && reads_only(step.act));
    for (std::uint32_t j = walk.back(); j != kNoStep; j = walk.back()) {
      if ((steps_[j].keys.mask & mask) == 0) continue;
      const Related related = visit(j);
      if (related == Related::kAllOrdered || (related == Related::kOrdered && covers_[j])) return;
    }
  }
  // What happened before a phase.
  void join_before_phase(std::uint32_t phase, std::uint32_t* to) const;
  // Of a thread that returns from a wait, before `end`: the step that woke it. Under StepOrder::kSequences only.
  [[nodiscard]] std::uint32_t waker_of(const Step& step, std::uint32_t end) const;
  // Accesses that did not find what the one before them, of the same bytes, had left.
  [[nodiscard]] std::span<const std::uint32_t> surprises() const { return {surprises_, surprise_count_}; }
  [[nodiscard]] bool adversarial() const { return adversarial_; }
  // No shortcuts: everything is asked.
  [[nodiscard]] bool at_length() const { return trace_.plan->without_shortcuts != 0; }
  // Time passes only when nobody can run.
  [[nodiscard]] bool fair() const { return trace_.plan->timeouts == TimeoutMode::kFair; }
  // A signal wakes the longest waiting thread.
  [[nodiscard]] bool fifo_waiters() const { return trace_.plan->waiters == WaiterMode::kFifo; }
  // The plan's sequence, as prediction has to know it; count 0: it has none.
  [[nodiscard]] SequenceRules sequence() const {
    return order_ == StepOrder::kSequences ? SequenceRules{} : trace_.plan->sequence;
  }
  [[nodiscard]] std::span<const SequenceEvent> sequence_list() const { return trace_.gate; }
  // Under a sequence that says which objects are in scope.
  [[nodiscard]] bool is_listed(LastingName object) const;
  [[nodiscard]] LastingName lasting_name(const Step& step) const { return thread_name_in(trace_.threads, step.column); }
  // Somebody sends the thread a signal or cancels it; perhaps, if there are many threads.
  [[nodiscard]] bool has_mail(std::uint32_t thread) const { return (mail_for_ >> (thread & 63) & 1) != 0; }
  // The first operation that cannot be reasoned about; kNone: there is none.
  [[nodiscard]] const Unmodelled& unmodelled() const { return unmodelled_; }

 private:
  [[nodiscard]] std::uint64_t stable(std::uint64_t place) const;
  [[nodiscard]] std::uint32_t name_of(ThreadIndex index);
  void translate(Act& act);
  [[nodiscard]] std::uint32_t fired_at(const Event& e, std::uint64_t operand) const;
  void take_choices(std::span<const DecisionRecord> decisions);
  void take_decisions(std::span<const DecisionRecord> decisions);
  [[nodiscard]] bool somebody_was_not_joined() const;
  void take_begun(const TraceView& trace);
  void take_pending(const TraceView& trace);
  void look_for_unmodelled(const OperationView& op);
  void count_mail(const OperationView& op);
  void forget_order_from(std::uint32_t step);
  void forget_order_of_others();
  void order();
  void order_one(std::uint32_t i, std::uint32_t phase_began);
  void look_for_surprise(std::uint32_t step);
  void look_for_copied_mutex(const OperationView& a, const OperationView& b);
  [[nodiscard]] LastingName gate_of(const Event& event) const;
  void name_place(const Event& event, Step& step) const;
  [[nodiscard]] bool has_total_order() const {
    return trace_.plan != nullptr && sequence().count != 0 && sequence().order == SequenceOrder::kTotal;
  }

  StepOrder order_;
  TraceView trace_;
  Step* steps_;
  Step* pending_;
  std::uint32_t* clocks_;
  bool* covers_;
  std::uint32_t* surprises_;
  std::uint32_t surprise_count_ = 0;
  StepIndex index_;
  std::uint32_t* barrier_;  // everything before the present phase
  std::uint32_t* last_;     // per thread: its last step
  std::uint32_t* name_;     // per thread
  std::uint32_t named_ = 0;
  std::uint32_t count_ = 0;
  std::uint32_t pending_count_ = 0;
  std::uint32_t columns_ = 0;
  std::uint32_t stride_ = 0;  // of clocks
  std::uint32_t phase_ = 0;
  // The first steps, of this execution or the last one, whose clocks are in order. Whoever changes a step among them
  // makes it less beforehand: a killed process leaves what is true.
  std::uint32_t ordered_ = 0;
  Step before_;  // in hand: what the last execution had in its place
  std::uint32_t ordered_stride_ = 0;
  std::uint32_t ordered_buckets_ = 0;
  DependenceRule ordered_by_ = nullptr;
  bool copies_mutex_ = false;  // somewhere in the order
  bool overflow_ = false;
  bool adversarial_ = false;
  std::uint64_t mail_for_ = 0;  // threads, by the low bits of their names
  std::uint32_t unread_ = 0;    // signals sent and not taken
  Unmodelled unmodelled_;
  ThreadNames names_;
};

}  // namespace ravel
