// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Ravel authors
#include "explore/values/execution_view.h"

#include "model/goal.h"

namespace ravel::values {

namespace {
template <class T>
T* room(std::pmr::memory_resource& memory, std::size_t count) {
  return static_cast<T*>(memory.allocate(sizeof(T) * count, alignof(T)));
}
}  // namespace

ExecutionView::ExecutionView(std::pmr::memory_resource& memory, const Steps& steps, AccessClasses& classes,
                             ThreadLines& lines)
    : steps_(steps),
      classes_(classes),
      lines_(lines),
      contexts_(room<ContextId>(memory, Steps::kMaxSteps)),
      class_of_(room<ClassId>(memory, Steps::kMaxSteps)),
      pending_class_(room<ClassId>(memory, kMaxWaiting)),
      step_of_depth_(room<std::uint32_t>(memory, kMaxDepth)),
      next_of_(room<std::uint32_t>(memory, Steps::kMaxSteps)),
      first_of_(room<std::uint32_t>(memory, kMaxNames)),
      last_of_(room<std::uint32_t>(memory, kMaxNames)),
      created_at_(room<std::uint32_t>(memory, kMaxNames)),
      column_(room<std::uint32_t>(memory, kMaxNames)),
      named_(room<std::uint32_t>(memory, kMaxNames)),
      pending_of_(room<std::uint32_t>(memory, kMaxNames)),
      cursor_(room<std::uint32_t>(memory, kMaxNames)) {
  recover();
}

void ExecutionView::recover() {
  for (std::uint32_t i = 0; i < kMaxNames; ++i) column_[i] = kNoStep;
  named_count_ = 0;
}

bool ExecutionView::finish(const TraceView& trace) {
  const std::uint32_t columns = steps_.columns();
  while (named_count_ != 0) column_[named_[--named_count_]] = kNoStep;  // of the execution before
  for (std::uint32_t c = 0; c < columns; ++c) {
    const std::uint32_t name = steps_.name_of_column(c);
    first_of_[c] = last_of_[c] = pending_of_[c] = cursor_[c] = kNoStep;
    created_at_[c] = 0;
    if (name >= kMaxNames) return false;
    column_[name] = c;
    named_[named_count_++] = name;
    const ThreadIndex parent = trace.threads[c].parent;
    lines_.learn(name, thread_name_in(trace.threads, c),
                 parent < c ? steps_.name_of_column(parent) : ThreadLines::kNobodyKnown);
  }
  depth_ = 0;
  ended_early_ = false;
  for (std::uint32_t i = 0; i < steps_.count(); ++i) {
    const Step& step = steps_[i];
    ended_early_ = ended_early_ || step.act.ends;
    const OperationView& op = step.act.op;
    class_of_[i] = classes_.id_of({op.thread, op.kind, op.location, contexts_[i]});
    if (class_of_[i] == kNoClass) return false;
    next_of_[i] = kNoStep;
    if (step.previous == kNoStep) {
      first_of_[step.column] = cursor_[step.column] = i;
    } else {
      next_of_[step.previous] = i;
    }
    if (op.kind == OpKind::kThreadCreate && op.value < kMaxNames && column_[op.value] != kNoStep) {
      created_at_[column_[op.value]] = i + 1;
    }
    last_of_[step.column] = i;
    if (step.listed) step_of_depth_[depth_++] = i;
  }
  const auto pending = steps_.pending();
  for (std::uint32_t i = 0; i < pending.size(); ++i) {
    const OperationView& op = pending[i].act.op;
    pending_class_[i] =
        classes_.id_of({op.thread, op.kind, op.location, pending_contexts(trace, op, pending[i].column)});
    if (pending_class_[i] == kNoClass) return false;
    pending_of_[pending[i].column] = i;
  }
  return true;
}

ContextId ExecutionView::pending_contexts(const TraceView& trace, const OperationView& op, std::uint32_t column) {
  const std::uint32_t n = trace.result->pending < kMaxWaiting ? trace.result->pending : kMaxWaiting;
  for (std::uint32_t i = 0; i < n; ++i) {
    const Event& event = trace.pending[i].operation;
    if (event.thread == column && event.kind == op.kind) return event.context;
  }
  return 0;
}

ExecutionView::Position ExecutionView::position(std::uint32_t thread, std::uint32_t from) const {
  if (!is_known(thread)) return {nullptr, kNoClass, true, false};
  const std::uint32_t column = column_[thread];
  if (created_at_[column] > from) return {nullptr, kNoClass, true, false};
  std::uint32_t at = cursor_[column];
  if (at == kNoStep) at = first_of_[column];
  while (at != kNoStep && at >= from && steps_[at].previous != kNoStep && steps_[at].previous >= from) {
    at = steps_[at].previous;
  }
  while (at != kNoStep && at < from) at = next_of_[at];
  if (at != kNoStep) {
    cursor_[column] = at;
    return {&steps_[at], class_of_[at], false, false};
  }
  if (pending_of_[column] == kNoStep) return {};
  return {&steps_.pending()[pending_of_[column]], pending_class_[pending_of_[column]], false, true};
}

ExecutionView::Position ExecutionView::behind(const Position& at) const {
  if (at.step == nullptr || at.pending) return {};
  const std::uint32_t next = next_of_[at.step - &steps_[0]];
  if (next != kNoStep) return {&steps_[next], class_of_[next], false, false};
  const std::uint32_t pending = pending_of_[at.step->column];
  return pending == kNoStep ? Position{} : Position{&steps_.pending()[pending], pending_class_[pending], false, true};
}

std::uint32_t ExecutionView::driver(std::uint32_t thread, std::uint32_t from) const {
  for (std::uint32_t i = 0; i <= kMaxCreators && lines_.is_known(thread); ++i) {
    const Position at = position(thread, from);
    if (at.step != nullptr) return thread;
    if (!at.unborn) return kNoStep;
    thread = lines_[thread].creator;
  }
  return kNoStep;
}

bool ExecutionView::creates(std::uint32_t creator, std::uint32_t thread) const {
  for (std::uint32_t i = 0; i < kMaxCreators && lines_.is_known(thread); ++i) {
    thread = lines_[thread].creator;
    if (thread == creator) return true;
  }
  return false;
}

}  // namespace ravel::values
