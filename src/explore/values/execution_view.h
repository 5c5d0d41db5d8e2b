// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Ravel authors
//
// One execution as the search for value schedules sees it: its steps, which class each belongs to, which of them can be
// scheduled, and where every thread stands before each of them. Scratch.
#pragma once

#include <cstdint>
#include <memory_resource>

#include "explore/steps.h"
#include "explore/values/access_classes.h"
#include "explore/values/thread_lines.h"

namespace ravel::values {

class ExecutionView {
 public:
  static constexpr std::uint32_t kMaxDepth = Steps::kMaxSteps;

  ExecutionView(std::pmr::memory_resource& memory, const Steps& steps, AccessClasses& classes, ThreadLines& lines);

  // In another process, after one that was killed.
  void recover();
  // While the program runs: the calling context of the step that was added last.
  void note_context(std::uint32_t step, ContextId context) { contexts_[step] = context; }
  // Behind Steps::finish. False: too many classes.
  [[nodiscard]] bool finish(const TraceView& trace);

  [[nodiscard]] const Steps& steps() const { return steps_; }
  [[nodiscard]] std::uint32_t depth() const { return depth_; }  // steps that can be scheduled
  [[nodiscard]] std::uint32_t step_at(std::uint32_t depth) const {
    return depth < depth_ ? step_of_depth_[depth] : steps_.count();
  }
  [[nodiscard]] ClassId class_of(std::uint32_t step) const { return class_of_[step]; }

  // The program ended while others could still have had a turn.
  [[nodiscard]] bool ended_early() const { return ended_early_; }
  [[nodiscard]] ClassId class_of_pending(std::uint32_t i) const { return pending_class_[i]; }
  [[nodiscard]] std::uint32_t last_of(std::uint32_t column) const { return last_of_[column]; }
  // kNoStep: it is not in this execution.
  [[nodiscard]] std::uint32_t column_of(std::uint32_t thread) const {
    return thread < kMaxNames ? column_[thread] : kNoStep;
  }

  // A thread's next operation from a step on: a step, or what was pending at the end.
  struct Position {
    const Step* step = nullptr;  // null: not there: not created yet, or over
    ClassId access = kNoClass;
    bool unborn = false;
    bool pending = false;  // never executed
  };
  [[nodiscard]] Position position(std::uint32_t thread, std::uint32_t from) const;
  // The operation of the same thread behind one.
  [[nodiscard]] Position behind(const Position& at) const;
  // Who is to be run so that a thread runs: itself, or who creates it; kNoStep: nobody, it is over.
  [[nodiscard]] std::uint32_t driver(std::uint32_t thread, std::uint32_t from) const;
  // Directly or through others.
  [[nodiscard]] bool creates(std::uint32_t creator, std::uint32_t thread) const;
  // Of all executions: every thread is below.
  [[nodiscard]] std::uint32_t threads() const { return lines_.count(); }
  [[nodiscard]] bool is_known(std::uint32_t thread) const { return thread < kMaxNames && column_[thread] != kNoStep; }

 private:
  static constexpr std::uint32_t kMaxNames = ThreadNames::kMost;
  static ContextId pending_contexts(const TraceView& trace, const OperationView& op, std::uint32_t column);

  const Steps& steps_;
  AccessClasses& classes_;
  ThreadLines& lines_;
  ContextId* contexts_;
  ClassId* class_of_;
  ClassId* pending_class_;  // beside Steps::pending()
  std::uint32_t* step_of_depth_;
  std::uint32_t* next_of_;     // the next step of the same thread
  std::uint32_t* first_of_;    // by column
  std::uint32_t* last_of_;     // by column
  std::uint32_t* created_at_;  // by column; 0: from the start, else step + 1
  std::uint32_t* column_;      // by name; kNoStep: not in this execution
  std::uint32_t* named_;       // names that `column_` has
  std::uint32_t named_count_ = 0;
  std::uint32_t* pending_of_;  // by column; kNoStep: none
  std::uint32_t depth_ = 0;
  bool ended_early_ = false;
  mutable std::uint32_t* cursor_;  // by column: a step of it that is not behind the last question
};

}  // namespace ravel::values
