// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Ravel authors
#include "explore/prediction.h"

#include <algorithm>

#include "explore/predictor.h"
#include "semantics/process_exit.h"
#include "semantics/thread_life.h"

namespace ravel {

GuessRule guess_rule = [](OpKind kind) { return reasoning_of(kind) == Reasoning::kUnknown; };

Selection::Selection(const Steps& steps, std::pmr::memory_resource& memory) : steps_(steps) {
  const auto room = [&] {
    constexpr std::size_t kBytes = sizeof(std::uint32_t) * ThreadNames::kMost;
    return static_cast<std::uint32_t*>(memory.allocate(kBytes, alignof(std::uint32_t)));
  };
  last_ = room();
  first_ = room();
}

// What happens after a step is, of each thread, all from some step on.
std::uint32_t Selection::not_after(std::uint32_t step, std::uint32_t column) const {
  const std::span<const std::uint32_t> all = steps_.index().of_column(column);
  const auto first = std::partition_point(all.begin() + first_[column], all.end(),
                                          [&](std::uint32_t i) { return !steps_.is_before(step, i); });
  return static_cast<std::uint32_t>(first - all.begin());
}

void Selection::cut(std::uint32_t begin) {
  begin_ = begin;
  counted_ = false;
}

// Of many threads nothing comes later, or nothing that has to: one look at their last step tells.
void Selection::count_by_thread() const {
  const std::uint32_t begin = begin_;
  counted_ = true;
  for (std::uint32_t c = 0; c < steps_.columns(); ++c) {
    const std::span<const std::uint32_t> all = steps_.index().of_column(c);
    first_[c] = last_[c] = static_cast<std::uint32_t>(all.size());
    if (all.empty() || all.back() < begin) continue;
    first_[c] = static_cast<std::uint32_t>(std::lower_bound(all.begin(), all.end(), begin) - all.begin());
    if (steps_.is_before(begin, all.back())) last_[c] = not_after(begin, c);
  }
}

void Selection::remove(std::uint32_t step) {
  if (!counted_) count_by_thread();
  for (std::uint32_t c = 0; c < steps_.columns(); ++c) last_[c] = std::min(last_[c], not_after(step, c));
}

void Selection::keep_before(std::uint32_t end) {
  begin_ = end;
  counted_ = true;
  for (std::uint32_t c = 0; c < steps_.columns(); ++c) first_[c] = last_[c] = 0;
}

std::uint32_t Selection::count_rest() const {
  if (!counted_) count_by_thread();
  std::uint32_t count = 0;
  for (std::uint32_t c = 0; c < steps_.columns(); ++c) count += last_[c] > first_[c] ? last_[c] - first_[c] : 0;
  return count;
}

std::uint32_t Selection::next_selected(std::uint32_t from) const {
  std::uint32_t next = kNoStep;
  for (std::uint32_t c = 0; c < steps_.columns(); ++c) {
    if (last_[c] <= first_[c]) continue;
    const std::uint32_t* const all = steps_.index().of_column(c).data();
    const std::uint32_t* const found = std::lower_bound(all + first_[c], all + last_[c], from);
    if (found != all + last_[c]) next = std::min(next, *found);
  }
  return next;
}

Predictor::Predictor(const Selection& past, const Step& next)
    : past_(past), steps_(past.steps()), next_(next), op_(next.act.op), timed_((next.operand & 1) != 0) {
  result_.act = next.act;
  result_.act.choice = kNoChoice;
  result_.act.op.bits &= static_cast<std::uint8_t>(~(kTimeout | kSpurious));
}

Prediction Predictor::guess(const Step& next) {
  Prediction result;
  result.enabled = Enabled::kMaybe;
  result.act = next.act;
  result.act.choice = kNoChoice;
  result.act.ends = true;  // depends on everything
  result.open = true;
  return result;
}

namespace {
// The event of the plan's sequence that comes next behind the selected steps, in all or at an object. nullptr: the list
// is over.
const SequenceEvent* next_event(const Selection& past, LastingName object) {
  const Steps& steps = past.steps();
  const SequenceRules rules = steps.sequence();
  const bool total = rules.order == SequenceOrder::kTotal;
  std::uint32_t before = 0;  // events of the sequence, or of the object
  for (std::uint32_t i = 0; i < steps.count(); ++i) {
    if (steps[i].gate != 0 && past.has(i)) before += total || steps[i].gate == object;
  }
  for (const SequenceEvent& event : steps.sequence_list().first(rules.count)) {
    if (event.match != SequenceMatch::kExact || (!total && event.object != object)) continue;
    if (before-- == 0) return &event;
  }
  return nullptr;
}
bool is_event(const SequenceEvent& event, OpKind kind, LastingName object) {
  return (event.kind == OpKind::kNone || event.kind == kind) && (event.object == 0 || event.object == object);
}

// Would the plan's sequence let it through behind the selected steps?
bool is_admitted(const Selection& past, const Step& next) {
  const Steps& steps = past.steps();
  const SequenceRules rules = steps.sequence();
  if (rules.count == 0 || next.gate == 0 || next.act.op.kind == OpKind::kSelect) return true;
  const SequenceEvent* const event = next_event(past, next.gate);
  if (event == nullptr) return rules.open != 0;
  std::uint32_t of_thread = 0;
  for (std::uint32_t i = 0; i < steps.count(); ++i) {
    of_thread += steps[i].gate != 0 && past.has(i) && steps[i].column == next.column;
  }
  return event->thread == steps.lasting_name(next) && is_event(*event, next.act.op.kind, next.gate) &&
         (event->number == 0 || event->number == of_thread + 1);
}
}  // namespace

bool admits_queue(const Selection& past, const Step& select, const Step& queue) {
  const Steps& steps = past.steps();
  const SequenceRules rules = steps.sequence();
  if (rules.count == 0) return true;
  if (rules.listed != 0 && !steps.is_listed(select.name)) return true;
  const SequenceEvent* const event = next_event(past, select.name);
  if (event == nullptr) return rules.open != 0;
  std::uint32_t taken = 0;
  for (std::uint32_t i = 0; i < steps.count(); ++i) {
    const OperationView& op = steps[i].act.op;
    taken += steps[i].gate != 0 && takes_message(op) && op.value == queue.act.op.place && past.has(i);
  }
  return event->thread == queue.name && is_event(*event, OpKind::kSelect, select.name) &&
         (event->number == 0 || event->number == taken + 1);
}

Prediction Predictor::run() {
  if (!is_admitted(past_, next_)) return result_;
  if (guess_rule(op_.kind)) return guess(next_);
  // Fair time: from the phase on that its time-out began the thread just has to be let through.
  timed_out_ = (op_.bits & kTimeout) != 0 && !steps_.adversarial() && past_.begin() < steps_.count() &&
               steps_[past_.begin()].phase >= next_.fired && steps_[past_.begin()].phase <= next_.phase;
  dispatch();
  return result_;
}

void Predictor::dispatch() {
  switch (family_of(op_.kind)) {
    case OpFamily::kNone:
      if (op_.kind != OpKind::kWakeUp) return enable();
      result_ = guess(next_);  // steps cost time
      return;
    case OpFamily::kLifecycle:
      return lifecycle();
    case OpFamily::kMemory:
      return memory();
    case OpFamily::kMutex:
      return mutex();
    case OpFamily::kCond:
      return condvar();
    case OpFamily::kRw:
      return rwlock();
    case OpFamily::kSem:
      return semaphore();
    case OpFamily::kBarrier:
      return barrier();
    case OpFamily::kOnce:
      return once();
    case OpFamily::kFutex:
      return futex();
    case OpFamily::kMeet:
      return meeting();
    case OpFamily::kReply:
      return reply();
    case OpFamily::kQueue:
      return queue();
    case OpFamily::kParcel:
      return parcel();
    case OpFamily::kPhase:
      return phase();
    case OpFamily::kIo:
    case OpFamily::kSignal:
      return outside();
    case OpFamily::kExit:
      return process_exit();
    case OpFamily::kHeap:
    case OpFamily::kObservation:
      return enable();
  }
}

void Predictor::block(std::uint32_t blocker) {
  if (gives_up()) {
    enable(true);
    set(kTimeout, true);
  } else {
    result_.blocker = blocker;
  }
}

void Predictor::follow(const Answer& answer, std::uint32_t blocker) {
  if (!answer.enabled) return block(blocker);
  enable(answer.fails);
  std::uint64_t seen = 0;
  const bool tries = op_.kind == OpKind::kMutexTryLock || op_.kind == OpKind::kSemTryWait ||
                     op_.kind == OpKind::kSemValue || family_of(op_.kind) == OpFamily::kRw;
  const bool looks = answer.fails || op_.kind == OpKind::kSemValue;
  if (tries && looks && times_there(seen) >= kEqualReads) result_.enabled = Enabled::kMaybe;
}

void Predictor::lifecycle() {
  if (op_.kind != OpKind::kThreadStart && op_.kind != OpKind::kThreadJoin) return enable();
  const bool start = op_.kind == OpKind::kThreadStart;
  const ThreadIndex whose = start ? op_.thread : static_cast<ThreadIndex>(op_.value);
  ThreadLife life{whose};
  replay(Steps::spot_of_thread(whose), [&](std::uint32_t, const OperationView& op) { (void)apply(life, op); });
  const Answer answer = ask(life, op_);
  if (!answer.enabled) return block(kNoStep);
  enable(answer.fails);
}

void Predictor::process_exit() {
  ExitState state;
  std::uint32_t begun = kNoStep;
  replay(Steps::spot_of_thread(op_.thread), [&](std::uint32_t i, const OperationView& op) {
    if (op.kind != OpKind::kExit) return;
    (void)apply(state, op);
    begun = i;
  });
  if (ask(state, op_).enabled) {
    enable();
  } else {
    result_.blocker = begun;
  }
}

// Descriptors, signals, cancellation: what they need is in the kernel, or depends on which operation a handler
// interrupts. They are tried.
void Predictor::outside() {
  if (is_conditional(op_.kind) || op_.kind == OpKind::kSignalHandle || op_.kind == OpKind::kCancelled) {
    result_ = guess(next_);
    return;
  }
  enable();
  leave_open();
}

Prediction predict(const Selection& past, const Step& next) {
  return Predictor(past, next).run();
}

Prediction predict_before(Selection& past, std::uint32_t earlier, const Step& next) {
  past.cut(earlier);
  Prediction prediction = predict(past, next);
  while (prediction.enabled == Enabled::kNo && prediction.blocker != kNoStep && prediction.blocker >= earlier) {
    past.remove(prediction.blocker);
    prediction = predict(past, next);
  }
  // A signal or a cancellation ends waits that nothing else would end.
  if (prediction.enabled == Enabled::kNo && past.steps().has_mail(next.act.op.thread)) {
    past.cut(earlier);
    return Predictor::guess(next);
  }
  return prediction;
}

bool came_out_otherwise(const Act& meant, const Act& done) {
  if (meant.op.kind != done.op.kind || ((meant.op.bits ^ done.op.bits) & kFailed) != 0) return true;
  const OpKind kind = done.op.kind;
  if (kind == OpKind::kSelect && takes_message(meant.op) != takes_message(done.op)) return true;
  const bool tells = kind == OpKind::kOnceBegin || kind == OpKind::kBarrierArrive || kind == OpKind::kPhaseArrive;
  return tells && meant.op.value != done.op.value;
}

Unmodelled find_disagreement(Selection& past) {
  constexpr std::uint32_t kLongest = 1024;  // each step asks for all before it
  const Steps& steps = past.steps();
  for (std::uint32_t i = 0; i < steps.count() && steps.count() <= kLongest; ++i) {
    const OperationView& op = steps[i].act.op;
    if (!is_conditional(op.kind) && !is_memory_access(op.kind) && op_class(op.kind) != OpClass::kSync) continue;
    past.keep_before(i);
    const Prediction predicted = predict(past, steps[i]);
    if (predicted.enabled == Enabled::kMaybe || predicted.open) continue;
    if (predicted.enabled == Enabled::kNo && steps.has_mail(op.thread)) continue;
    if (predicted.enabled == Enabled::kNo || came_out_otherwise(predicted.act, steps[i].act)) {
      return {op.kind, op.location};
    }
  }
  return {};
}

}  // namespace ravel
