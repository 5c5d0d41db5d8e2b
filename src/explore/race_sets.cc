// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Ravel authors
#include "explore/race_sets.h"

#include <algorithm>

namespace ravel {

RaceSets::RaceSets(std::pmr::memory_resource& memory, const Steps& steps)
    : steps_(steps),
      selection_(steps, memory),
      events_(static_cast<SequenceStep*>(memory.allocate(sizeof(SequenceStep) * kMaxEvents, alignof(SequenceStep)))),
      parcels_(static_cast<Step*>(memory.allocate(sizeof(Step) * kMaxParcels, alignof(Step)))) {}

void RaceSets::join(std::uint32_t* to, std::uint32_t step) const {
  const std::uint32_t* const clock = steps_.clock(step);
  for (std::uint32_t c = 0; c < steps_.columns(); ++c) to[c] = std::max(to[c], clock[c]);
}

bool RaceSets::take() {
  count_ = completed_ = parcel_count_ = 0;
  cut_at_ = kNone;
  unmodelled_ = steps_.unmodelled();
  unordered_[0] = unordered_[1] = 0;
  atomic_count_ = 0;
  if (steps_.columns() > kMaxColumns) return false;
  for (std::uint32_t i = 0; i < steps_.count(); ++i) {
    if (steps_[i].gate != 0 && !add(steps_[i], i)) return false;
    const OpKind kind = steps_[i].act.op.kind;
    if (steps_[i].options > 1 && kind != OpKind::kDeliver && kind != OpKind::kSelect) {
      if (count_ == kMaxEvents) return false;
      add_choice(steps_[i], i);
    }
  }
  completed_ = count_;
  for (const Step& step : steps_.pending()) {
    // A thread that nobody has woken has not called the mutex yet.
    const bool asleep = step.act.op.kind == OpKind::kCondReacquire && (step.act.op.bits & kTimeout) == 0 &&
                        steps_.waker_of(step, steps_.count()) == kNoStep;
    const bool receives = step.act.op.kind == OpKind::kDeliver;  // what it waits for are messages
    if (step.gate != 0 && !asleep && !receives && !add(step, kNone)) return false;
  }
  if (!add_unreceived() || !add_untaken()) return false;
  look_for_unmodelled();
  return true;
}

std::uint32_t RaceSets::cast_of(const Step& deliver) const {
  std::uint32_t i = 0;
  while (i < steps_.count() &&
         (steps_[i].act.op.kind != OpKind::kCast || steps_[i].act.op.value != deliver.act.op.value)) {
    ++i;
  }
  return i < steps_.count() ? i : kNone;
}

// Messages that are still on their way could have arrived where others did. A port that nobody receives from has none.
bool RaceSets::add_unreceived() {
  for (std::uint32_t i = 0; i < steps_.count(); ++i) {
    const OperationView& sent = steps_[i].act.op;
    if (sent.kind != OpKind::kCast) continue;
    const Step* receive = nullptr;
    for (std::uint32_t k = 0; k < steps_.count(); ++k) {
      const OperationView& op = steps_[k].act.op;
      if (op.kind != OpKind::kDeliver || op.place != sent.place) continue;
      if (receive == nullptr || op.value == sent.value) receive = &steps_[k];
    }
    if (receive == nullptr || receive->act.op.value == sent.value) continue;
    if (parcel_count_ == kMaxParcels) return false;
    Step& made = parcels_[parcel_count_++];
    made = *receive;
    made.act.op.value = sent.value;
    made.previous = kNoStep;
    made.pending = true;
    if (!add(made, kNone)) return false;
  }
  return true;
}

// So could the messages of queues that are alternatives, where their receiver has waited for them: also those that it
// took without a select.
bool RaceSets::add_untaken() {
  for (std::uint32_t i = 0; i < steps_.count(); ++i) {
    const OperationView& enlisted = steps_[i].act.op;
    if (enlisted.kind != OpKind::kEnlist) continue;
    const Step* select = nullptr;
    LastingName inbox = 0;
    for (std::uint32_t k = i; k < steps_.count(); ++k) {
      const OperationView& op = steps_[k].act.op;
      if (op.kind == OpKind::kSelect && op.place == enlisted.value) select = &steps_[k];
      if (op.kind == OpKind::kOpen && op.place == enlisted.value) inbox = steps_[k].name;
    }
    for (std::uint32_t k = 0; k < steps_.count() && select != nullptr; ++k) {
      const OperationView& put = steps_[k].act.op;
      if (put.kind != OpKind::kPut || put.place != enlisted.place || is_selected(put)) continue;
      if (parcel_count_ == kMaxParcels) return false;
      Step& made = parcels_[parcel_count_++];
      made = *select;
      made.act.op.value = enlisted.place;
      made.act.op.size = select_number(put.value);
      made.act.op.bits = 0;
      made.name = steps_[i].name;
      made.gate = inbox;
      made.previous = kNoStep;
      made.pending = true;
      if (!add(made, kNone)) return false;
    }
  }
  return true;
}

bool RaceSets::is_selected(const OperationView& put) const {
  for (std::uint32_t i = 0; i < steps_.count(); ++i) {
    if (is_message_of(put, steps_[i].act.op)) return true;
  }
  return false;
}

// What sent the message that a select takes, and, behind that, what took the one before it.
void RaceSets::join_message(const OperationView& select, std::uint32_t* to) const {
  for (std::uint32_t i = 0; i < steps_.count(); ++i) {
    const OperationView& op = steps_[i].act.op;
    const bool sent = op.kind == OpKind::kPut && is_message_of(op, select);
    const auto before = static_cast<std::uint16_t>(select.size - 1);
    const bool received = (op.kind == OpKind::kTake || op.kind == OpKind::kTryTake) && op.place == select.value &&
                          !did_fail(op) && select_number(op.value) == before;
    const bool selected = takes_message(op) && op.value == select.value && op.size == before;
    if (sent || received || selected) join(to, i);
  }
}

bool RaceSets::add(const Step& step, std::uint32_t index) {
  if (count_ == kMaxEvents) return false;
  SequenceStep& event = events_[count_];
  event = {};
  event.step = &step;
  event.index = index;
  event.thread = steps_.lasting_name(step);
  if (step.act.op.kind == OpKind::kDeliver) {
    const std::uint32_t cast = cast_of(step);
    if (cast == kNone) return false;
    event.thread = message_name(steps_.lasting_name(steps_[cast]), static_cast<std::uint32_t>(step.act.op.value));
  }
  if (takes_message(step.act.op)) event.thread = step.name;
  event.object = step.gate;
  event.withdrawn = index != kNone && is_withdrawn(step.act.op.bits);
  event.number = 1;
  for (std::uint32_t i = count_; i-- > 0;) {
    if (!events_[i].choice && events_[i].thread == event.thread && event.number == 1) {
      event.number = events_[i].number + 1;
    }
    if (event.before == kNone && events_[i].object == event.object && events_[i].index != kNone &&
        !events_[i].withdrawn) {
      event.before = i;
      event.position = events_[i].position + 1;
    }
  }
  if (takes_message(step.act.op)) event.number = step.act.op.size;
  find_call(event);
  find_control(event);
  ++count_;
  return true;
}

// Received by its thread, behind the operation that it is part of.
void RaceSets::add_choice(const Step& step, std::uint32_t index) {
  SequenceStep& event = events_[count_];
  event = {};
  event.step = &step;
  event.index = index;
  event.thread = steps_.lasting_name(step);
  event.choice = true;
  event.number = 1;
  for (std::uint32_t i = count_; i-- > 0;) {
    if (!events_[i].choice || events_[i].thread != event.thread) continue;
    event.number = events_[i].number + 1;
    break;
  }
  join(event.sent, index);
  join(event.control, index);
  ++count_;
}

// What its thread has done, and of a thread that was woken, the signal, or all that came before its time was over.
void RaceSets::find_call(SequenceStep& event) const {
  const Step& step = *event.step;
  if (step.act.op.kind == OpKind::kDeliver) return join(event.sent, cast_of(step));
  if (step.act.op.kind == OpKind::kSelect) return join_message(step.act.op, event.sent);
  if (step.previous != kNoStep) join(event.sent, step.previous);
  if (step.act.op.kind == OpKind::kCondReacquire && (step.act.op.bits & kTimeout) != 0 &&
      reachability_rules.time_past) {
    steps_.join_before_phase(step.fired, event.sent);
  }
  const std::uint32_t end = event.index == kNone ? steps_.count() : event.index;
  if (const std::uint32_t waker = steps_.waker_of(step, end); waker != kNoStep) join(event.sent, waker);
}

// What its object has received, waits that have given the mutex back since, and of a call that it was open.
void RaceSets::find_control(SequenceStep& event) const {
  const Step& step = *event.step;
  if (event.before != kNone) join(event.control, events_[event.before].index);
  const bool receives = step.act.op.kind == OpKind::kDeliver || step.act.op.kind == OpKind::kSelect;
  if (receives && step.previous != kNoStep) join(event.control, step.previous);
  const std::uint64_t place = sequence_place(step.act.op.kind, step.act.op.place, step.act.op.value);
  join_given(place, event.object, event.index == kNone ? steps_.count() : event.index, event.control);
}

// The last wait before `end` that gave the mutex back, or the receiver that opened the inbox: no events of the object.
void RaceSets::join_given(std::uint64_t mutex, LastingName inbox, std::uint32_t end, std::uint32_t* to) const {
  for (std::uint32_t i = end; i-- > 0;) {
    const OperationView& op = steps_[i].act.op;
    const bool gives = gives_mutex_back(op) && op.value == mutex && reachability_rules.leave_merge;
    const bool opens = op.kind == OpKind::kOpen && steps_[i].name == inbox && reachability_rules.opened;
    if (!gives && !opens) continue;
    join(to, i);
    return;
  }
}

void RaceSets::find_end(LastingName object, std::uint32_t* clock) const {
  std::uint64_t mutex = 0;  // a wait gives back what its thread has locked: there is an event
  for (std::uint32_t i = completed_; i-- > 0 && mutex == 0;) {
    if (events_[i].choice || events_[i].withdrawn || events_[i].object != object) continue;
    const OperationView& op = events_[i].step->act.op;
    join(clock, events_[i].index);
    mutex = sequence_place(op.kind, op.place, op.value);
  }
  join_given(mutex, object, steps_.count(), clock);
  // Who waits for a message there.
  for (const Step& step : steps_.pending()) {
    const bool receives = step.gate == object && step.act.op.kind == OpKind::kDeliver && step.previous != kNoStep;
    if (receives) join(clock, step.previous);
  }
}

// Behind the selected steps. Before its time was over it was an ordinary call; from then on a thread that waited for a
// condition only has to get its mutex back.
Enabled RaceSets::can_come(const Step& call) const {
  if ((call.act.op.bits & kTimeout) == 0) return predict(selection_, call).enabled;
  Step asked = call;
  if (is_withdrawn(call.act.op.bits)) asked.act.op.bits &= static_cast<std::uint8_t>(~(kFailed | kTimeout));
  return predict(selection_, asked).enabled;
}

Enabled RaceSets::is_open(std::uint32_t event, const Step& other) {
  const SequenceStep& r = events_[event];
  selection_.keep_before(r.index);
  cut_at_ = kNone;
  if (r.step->act.op.kind == OpKind::kDeliver) return Enabled::kYes;
  if (other.act.op.kind == OpKind::kSelect) {
    return is_open_to_queue(selection_, other.act.op) ? Enabled::kYes : Enabled::kNo;
  }
  return can_come(other);
}

Enabled RaceSets::races(std::uint32_t event, std::uint32_t later) {
  const SequenceStep& r = events_[event];
  const SequenceStep& s = events_[later];
  if (s.object != r.object || s.thread == r.thread || is_before_call(event, later)) return Enabled::kNo;
  const bool too_late = s.withdrawn && r.step->phase >= s.step->fired;
  if (too_late && reachability_rules.withdrawal) return Enabled::kNo;
  // Most events are asked for several calls in a row.
  if (cut_at_ != r.index) selection_.cut(r.index);
  cut_at_ = r.index;
  if (r.step->act.op.kind == OpKind::kDeliver) {
    const OperationView& op = r.step->act.op;
    const std::uint16_t rules = reachability_rules.in_order ? op.size : std::uint16_t{0};
    return can_be_delivered(selection_, op.place, rules, s.step->act.op.value) ? Enabled::kYes : Enabled::kNo;
  }
  if (s.step->act.op.kind == OpKind::kSelect) {
    return can_be_selected(selection_, s.step->act.op) ? Enabled::kYes : Enabled::kNo;
  }
  return can_come(*s.step);
}

namespace {
// It could have ended by time-out. Other operations have operands of their own.
bool is_timed(const Step& step) {
  const OpKind kind = step.act.op.kind;
  if (kind == OpKind::kAccept || kind == OpKind::kTake) return (step.operand & 1) != 0;
  const bool waits = is_sequence_event(kind) && kind != OpKind::kCondSignal && kind != OpKind::kBarrierArrive &&
                     kind != OpKind::kFutexWait && kind != OpKind::kDeliver && kind != OpKind::kSelect &&
                     kind != OpKind::kPhaseArrive;
  return waits && (step.operand & 1) != 0;
}
// How often it reads depends on when others write: there is no end of sequences.
bool spins(const Step& step) {
  return is_memory_access(step.act.op.kind) && step.waited;
}
}  // namespace

// A wait gives its mutex back without an event there. An operation that completes whether the mutex is free or not, an
// attempt or an unlock by somebody who has not locked it, may come before that or behind it: the mutex's order does not
// show which, but what else it could have received depends on it.
bool RaceSets::meets_hidden_release(std::uint32_t attempt) const {
  const OperationView& op = steps_[attempt].act.op;
  if (op.kind != OpKind::kMutexTryLock && (op.kind != OpKind::kMutexUnlock || !did_fail(op))) return false;
  for (std::uint32_t i = 0; i < steps_.count(); ++i) {
    const OperationView& other = steps_[i].act.op;
    if (gives_mutex_back(other) && other.value == op.place && other.thread != op.thread) return true;
  }
  return false;
}

// An atomic that two accesses which conflict have in no order becomes an object. False: it cannot.
bool RaceSets::take_atomic(const Step& one, const Step& other) {
  if (one.name == 0 || one.name != other.name || one.act.op.size != other.act.op.size) return false;
  for (std::uint32_t i = 0; i < atomic_count_; ++i) {
    if (atomics_[i] == one.name) return true;
  }
  if (atomic_count_ == kMaxSequenceAtomics) return false;
  atomics_[atomic_count_++] = one.name;
  return true;
}

// Plain memory is not part of any sequence: whatever decides has to be ordered by synchronisation.
void RaceSets::look_at_memory(std::uint32_t access) {
  const OperationView& op = steps_[access].act.op;
  if (spins(steps_[access]) && unmodelled_.kind == OpKind::kNone) unmodelled_ = {op.kind, op.location};
  for (std::uint32_t j = 0; j < access && unmodelled_.kind == OpKind::kNone; ++j) {
    const OperationView& other = steps_[j].act.op;
    if (!is_memory_access(other.kind) || steps_.is_before(j, access) || !dependent(other, op)) continue;
    unordered_[0] = other.location;
    unordered_[1] = op.location;
    if (!take_atomic(steps_[j], steps_[access])) unmodelled_ = {op.kind, op.location};
  }
}

// Fair time is a part of the order. Any other could end a wait whenever it likes.
void RaceSets::look_for_unmodelled() {
  const bool fair = steps_.fair();
  for (std::uint32_t i = 0; i < steps_.count() && unmodelled_.kind == OpKind::kNone; ++i) {
    const OperationView& op = steps_[i].act.op;
    const OpFamily family = family_of(op.kind);
    const bool timed = op_class(op.kind) == OpClass::kTime || (op.bits & kTimeout) != 0 || is_timed(steps_[i]);
    if (family == OpFamily::kFutex || family == OpFamily::kIo || family == OpFamily::kSignal || (timed && !fair) ||
        op.kind == OpKind::kSemValue || (op.bits & kSpurious) != 0 ||
        (op.kind == OpKind::kDeliver && (op.size & (kLooks | kWaitsFor)) != 0) ||
        (op.kind == OpKind::kSelect && select_mode(op) != SelectMode::kForEver)) {
      if (op.kind != OpKind::kYield && !is_label(op.kind)) unmodelled_ = {op.kind, op.location};
    }
    if (meets_hidden_release(i)) unmodelled_ = {op.kind, op.location};
    if (is_memory_access(op.kind)) look_at_memory(i);
  }
  for (const Step& step : steps_.pending()) {
    if (unmodelled_.kind == OpKind::kNone && ((is_timed(step) && !fair) || spins(step))) {
      unmodelled_ = {step.act.op.kind, step.act.op.location};
    }
  }
}

}  // namespace ravel
