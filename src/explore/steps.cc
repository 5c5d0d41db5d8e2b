// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Ravel authors
#include "explore/steps.h"

#include <atomic>

#include "base/hash.h"
#include "explore/reachability_rules.h"
#include "explore/sampling.h"

namespace ravel {

DependenceRule dependence_rule = &dependent;

namespace {

constexpr Keys kEveryKey = {~std::uint64_t{0}, kSeveral};
constexpr std::uint32_t kMaxColumns = ThreadNames::kMost;
constexpr std::uint32_t kTogether = 4;  // columns
static_assert(kMaxColumns % kTogether == 0);
constexpr std::uint8_t kScheduling = kChosen | kHadToWait;  // say how it came to run, not what it did

template <class T>
T* room(std::pmr::memory_resource& memory, std::size_t count) {
  return static_cast<T*>(memory.allocate(sizeof(T) * count, alignof(T)));
}

// A place, as the index knows it: by a hash, whose low six bits are the key.
Keys key(std::uint64_t place) {
  const Spot spot = static_cast<Spot>(mix64(place)) & (kSeveral >> 1);
  return {std::uint64_t{1} << (spot & 63), spot};
}
Keys key_of_thread(std::uint32_t thread) {
  return key(~std::uint64_t{thread});
}
Keys both(const Keys& a, const Keys& b) {
  return a.spot == b.spot ? a : Keys{a.mask | b.mask, kSeveral};
}
Keys keys_of_range(std::uint64_t place, std::uint32_t bytes) {
  const std::uint64_t first = place >> 3;
  const std::uint64_t last = (place + (bytes == 0 ? 0 : bytes - 1)) >> 3;
  if (last - first > 32) return kEveryKey;
  Keys keys = key(first);
  for (std::uint64_t granule = first + 1; granule <= last; ++granule) keys = both(keys, key(granule));
  return keys;
}

// All events of a total order belong together.
constexpr std::uint64_t kGatePlace = 0x67617465ull << 32;

bool same_sequence(const OperationView& a, const OperationView& b) {
  return is_sequence_event(a.kind) && is_sequence_event(b.kind) &&
         sequence_place(a.kind, a.place, a.value) == sequence_place(b.kind, b.place, b.value);
}
bool dependent_by_object(const OperationView& a, const OperationView& b) {
  const bool same_label = is_label(a.kind) && is_label(b.kind) && a.value == b.value;
  return same_label || same_sequence(a, b) || dependent(a, b);
}
bool dependent_in_total(const OperationView& a, const OperationView& b) {
  return (is_listed_event(a.kind) && is_listed_event(b.kind)) || dependent(a, b);
}

// The earlier one of two happens before the later one. Whom a signal wakes is not seen from two operations: waker_of().
// Not of memory and observations: a sequence does not say in which order they come.
bool ordered_in_sequences(const OperationView& earlier, const OperationView& later) {
  // What was withdrawn has done nothing that its object could show: time orders it.
  if (is_withdrawn(earlier.bits) || is_withdrawn(later.bits)) return earlier.thread == later.thread;
  if (same_sequence(earlier, later)) return true;
  const auto gives_back = [](const OperationView& wait, const OperationView& other) {
    return gives_mutex_back(wait) && is_sequence_event(other.kind) &&
           wait.value == sequence_place(other.kind, other.place, other.value);
  };
  if (gives_back(earlier, later) || gives_back(later, earlier)) return reachability_rules.leave_merge;
  if (family_of(later.kind) == OpFamily::kReply && !reachability_rules.reply_merge) return false;
  // A message is sent before it is received. What else is on its way does not matter.
  if (later.kind == OpKind::kSelect && earlier.kind == OpKind::kPut) return is_message_of(earlier, later);
  const bool parcels = family_of(earlier.kind) == OpFamily::kParcel && family_of(later.kind) == OpFamily::kParcel;
  if (parcels && (earlier.kind == OpKind::kCast || later.kind == OpKind::kCast)) {
    return earlier.thread == later.thread || (earlier.place == later.place && earlier.value == later.value);
  }
  if (is_sequence_event(earlier.kind) && is_sequence_event(later.kind)) return false;
  const auto is_data = [](OpKind kind) { return is_memory_access(kind) || family_of(kind) == OpFamily::kObservation; };
  return !is_data(earlier.kind) && !is_data(later.kind) && dependent(earlier, later);
}

// What a sequence orders depends on each other, whatever it does: which of two comes first decides whether the second
// is admitted. Set behind each execution: globals are put back with the program's memory.
void set_dependence(StepOrder order, const SequenceRules& rules) {
  if (order == StepOrder::kSequences) {
    dependence_rule = &ordered_in_sequences;
  } else if (rules.count != 0) {
    dependence_rule = rules.order == SequenceOrder::kTotal ? &dependent_in_total : &dependent_by_object;
  } else if (dependence_rule == &dependent_in_total || dependence_rule == &dependent_by_object ||
             dependence_rule == &ordered_in_sequences) {
    dependence_rule = &dependent;
  }
}

Keys fine_keys(const OperationView& op) {
  switch (family_of(op.kind)) {
    case OpFamily::kNone:  // it does nothing, but it may be where a thread is cancelled, or the program ends
      return key_of_thread(op.thread);
    case OpFamily::kLifecycle:
      if (op.kind == OpKind::kThreadStart || op.kind == OpKind::kThreadEnd) return key_of_thread(op.thread);
      return key_of_thread(static_cast<std::uint32_t>(op.value));
    case OpFamily::kMemory:
      return keys_of_range(op.place, op.size);
    case OpFamily::kFutex:
      return keys_of_range(op.place, kFutexWordBytes);
    case OpFamily::kMutex:
      return keys_of_range(op.place, kMutexWordBytes);
    case OpFamily::kCond:
      if (op.kind != OpKind::kCondWait && op.kind != OpKind::kCondReacquire) return key(op.place);
      return both(key(op.place), keys_of_range(op.value, kMutexWordBytes));
    case OpFamily::kMeet:  // a select also looks at queues
      return op.kind == OpKind::kSelect ? kEveryKey : key(inbox_of(op));
    case OpFamily::kOnce:  // compiled code looks at the guard of a static by itself
      return keys_of_range(op.place, 1);
    case OpFamily::kObservation:
      return key(op.value);
    case OpFamily::kIo:
      return key(0);  // one that looks at several descriptors has no place
    case OpFamily::kSignal:
    case OpFamily::kHeap:
    case OpFamily::kExit:
      return kEveryKey;
    default:
      return key(op.place);
  }
}

// Field by field into its place: what is put together elsewhere and then copied has to wait for its own stores.
void put_view(const Event& e, OperationView& op) {
  op.kind = e.kind;
  op.bits = e.bits;
  op.size = e.size;
  op.thread = e.thread;
  op.place = place_of(e);
  op.value = e.value;
  op.location = e.location;
}

// What the order of a step follows from, but for the steps before it.
bool is_ordered_alike(const Step& a, const Step& b) {
  const OperationView& p = a.act.op;
  const OperationView& q = b.act.op;
  return p.place == q.place && p.value == q.value && p.kind == q.kind && p.bits == q.bits && p.size == q.size &&
         p.thread == q.thread && p.location == q.location && a.act.object == b.act.object && a.act.ends == b.act.ends &&
         a.operand == b.operand && a.keys.mask == b.keys.mask && a.keys.spot == b.keys.spot && a.column == b.column &&
         a.position == b.position && a.previous == b.previous && a.phase == b.phase && a.gate == b.gate &&
         a.name == b.name;
}

bool has_own_operand(OpKind kind) {
  return is_memory_access(kind) || kind == OpKind::kCondSignal || kind == OpKind::kBarrierArrive ||
         kind == OpKind::kChoice || kind == OpKind::kFutexWait || kind == OpKind::kDeliver || kind == OpKind::kSelect ||
         kind == OpKind::kPhaseArrive;
}

}  // namespace

Steps::Steps(std::pmr::memory_resource& memory, StepOrder order, std::pmr::memory_resource* common)
    : order_(order),
      steps_(room<Step>(memory, kMaxSteps)),
      pending_(room<Step>(memory, kMaxWaiting)),
      clocks_(room<std::uint32_t>(memory, kMaxClocks)),
      covers_(room<bool>(memory, kMaxSteps)),
      surprises_(room<std::uint32_t>(memory, kMaxSteps)),
      index_(memory, kMaxSteps, kMaxColumns),
      barrier_(room<std::uint32_t>(memory, kMaxColumns)),
      last_(room<std::uint32_t>(memory, kMaxColumns)),
      name_(room<std::uint32_t>(memory, kMaxColumns)),
      names_(common != nullptr ? *common : memory, common == nullptr) {}

Keys Steps::keys_of(const Act& act) const {
  if (act.ends) return kEveryKey;
  Keys keys = fine_keys(act.op);
  if (has_total_order() && is_listed_event(act.op.kind)) keys = both(keys, key(kGatePlace));
  if (is_label(act.op.kind) && trace_.plan != nullptr && sequence().count != 0) keys = both(keys, key(act.op.value));
  return order_ == StepOrder::kObjects && is_memory_access(act.op.kind) ? both(keys, key(act.object)) : keys;
}
Spot Steps::spot_of(std::uint64_t place) {
  return key(place).spot;
}
Spot Steps::spot_of_memory(std::uint64_t place) {
  return key(place >> 3).spot;
}
Spot Steps::spot_of_thread(std::uint32_t thread) {
  return key_of_thread(thread).spot;
}

void Steps::begin(const TraceView& trace) {
  trace_ = trace;
  count_ = pending_count_ = columns_ = phase_ = named_ = 0;
  unread_ = 0;
  mail_for_ = 0;
  overflow_ = false;
  unmodelled_ = {};
  adversarial_ = trace.plan->timeouts == TimeoutMode::kAdversarial;
  if (trace.plan->without_shortcuts != 0) forget_order_from(0);
}

LastingName Steps::gate_of(const Event& event) const {
  const SequenceRules rules = sequence();
  if ((rules.count == 0 && order_ != StepOrder::kSequences) || !is_listed_event(event.kind)) return 0;
  if (completes_nothing(event)) return 0;
  const std::uint64_t place = sequence_place(event.kind, place_of(event), event.value);
  const LastingName name = place_name_in(trace_.threads, trace_.objects, place);
  if (rules.listed == 0 && !is_label(event.kind)) return name;
  return is_listed(name) ? name : 0;
}

bool Steps::is_listed(LastingName object) const {
  for (const SequenceEvent& listed : trace_.gate.first(sequence().count)) {
    if (listed.object == object) return true;
  }
  return false;
}

// Of an access to an atomic: what it is, and whether the plan makes it an object of the sequences. Of a receiver that
// opens its inbox: which one. Of a queue that becomes an alternative: which one. Of a select the queue whose message it
// takes, or, if a search follows a sequence, its inbox.
void Steps::name_place(const Event& event, Step& step) const {
  const bool sequences = order_ == StepOrder::kSequences;
  if (!sequences && trace_.plan->sequence.count == 0) return;
  const bool receives = event.kind == OpKind::kOpen || event.kind == OpKind::kEnlist || event.kind == OpKind::kSelect;
  if (!receives && !(sequences && is_atomic_access(event.kind))) return;
  const bool takes = sequences && event.kind == OpKind::kSelect && event.value != 0;
  step.name = place_name_in(trace_.threads, trace_.objects, takes ? event.value : place_of(event));
  if (receives) return;
  const SequenceRules& rules = trace_.plan->sequence;
  if (rules.atomics == 0) return;
  for (const SequenceEvent& listed : trace_.gate.first(rules.count).last(rules.atomics)) {
    if (listed.object == step.name) step.gate = step.name;
  }
}

std::uint32_t Steps::name_of(ThreadIndex index) {
  if (index >= kMaxColumns || index >= trace_.result->threads) {
    overflow_ = overflow_ || index != kNoThread;
    return kNoThread;
  }
  for (; named_ <= index; ++named_) {
    const ThreadRecord& record = trace_.threads[named_];
    const std::uint32_t parent = record.parent < named_ ? name_[record.parent] : kNoThread.number();
    name_[named_] = names_.name_of(parent, record.ordinal);
    last_[named_] = kNoStep;
    if (name_[named_] == kNoThread) overflow_ = true;
  }
  return name_[index];
}

// Places by what the object is. Objects nobody knows keep their number.
std::uint64_t Steps::stable(std::uint64_t place) const {
  const auto object = static_cast<ObjectId>(place >> 32);
  if (object == 0 || object >= kMaxObjects) return place;
  const ObjectRecord& record = trace_.objects[object];
  if (record.kind == ObjectKind::kUnknown) return place;
  std::uint64_t owner = record.owner;
  if (record.kind != ObjectKind::kModule && owner < named_) owner = name_[owner];
  const std::uint64_t name = hash_combine(hash_combine(static_cast<std::uint64_t>(record.kind), owner), record.ordinal);
  return name << 32 | (place & 0xffffffffu);
}

void Steps::translate(Act& act) {
  OperationView& op = act.op;
  const auto object = static_cast<ObjectId>(op.place >> 32);
  const bool heap = object != 0 && object < kMaxObjects && trace_.objects[object].kind == ObjectKind::kHeap;
  op.bits &= static_cast<std::uint8_t>(~kScheduling);
  op.thread = name_of(op.thread);
  switch (op.kind) {
    case OpKind::kThreadCreate:
    case OpKind::kThreadStart:
    case OpKind::kThreadJoin:
    case OpKind::kThreadDetach:
    case OpKind::kSignalSend:
    case OpKind::kCancel:
    case OpKind::kCondSignal:
      op.value = name_of(static_cast<ThreadIndex>(op.value));
      break;
    case OpKind::kCondWait:
    case OpKind::kCondReacquire:
    case OpKind::kMeet:
    case OpKind::kEnlist:
      op.value = stable(op.value);
      break;
    case OpKind::kSelect:
      if (op.value != 0) op.value = stable(op.value);
      break;
    case OpKind::kCast:
    case OpKind::kDeliver:
      if (op.value != 0) op.value = message_of(name_of(sender_of(op.value)), static_cast<std::uint32_t>(op.value));
      break;
    default:
      break;
  }
  op.place = stable(op.place);
  act.object = heap ? op.place | 0xffffffffu : op.place >> 2;
}

std::uint32_t Steps::fired_at(const Event& e, std::uint64_t operand) const {
  const bool known = (e.bits & kTimeout) != 0 && !has_own_operand(e.kind);
  return known ? static_cast<std::uint32_t>(operand >> 1) : phase_;
}

void Steps::add(const Event& e, std::uint64_t operand) {
  if (overflow_ || e.kind >= OpKind::kCount) return;
  if (operand == kNoPoint || e.kind == OpKind::kNone) return;
  if (count_ == kMaxSteps || e.thread >= kMaxColumns) {
    overflow_ = true;
    return;
  }
  Step& step = steps_[count_];
  const std::uint32_t ordered = ordered_;
  if (count_ < ordered) {
    before_ = step;
    forget_order_from(count_);
  }
  step = Step{};
  put_view(e, step.act.op);
  step.column = e.thread;
  step.operand = operand;
  step.waited = (e.bits & kHadToWait) != 0;
  step.chosen = (e.bits & kChosen) != 0;
  const bool excluded = (trace_.plan->excluded_classes >> static_cast<unsigned>(op_class(e.kind)) & 1) != 0;
  step.listed = !excluded || (e.bits & kChosen) != 0;
  step.gate = gate_of(e);
  name_place(e, step);
  translate(step.act);
  if (overflow_) return;
  if (!has_own_operand(e.kind) && operand >> 1 > phase_) phase_ = static_cast<std::uint32_t>(operand >> 1);
  step.phase = phase_;
  step.fired = fired_at(e, operand);
  step.keys = keys_of(step.act);
  step.previous = last_[e.thread];
  step.position = step.previous == kNoStep ? 1 : steps_[step.previous].position + 1;
  if (count_ < ordered && is_ordered_alike(before_, step)) ordered_ = ordered;
  last_[e.thread] = count_++;
  const bool waits_for = (e.kind == OpKind::kDeliver && (e.size & kWaitsFor) != 0) ||
                         (e.kind == OpKind::kSelect && select_mode(step.act.op) == SelectMode::kForSoLong);
  if (waits_for && unmodelled_.kind == OpKind::kNone) unmodelled_ = {e.kind, e.location};
  if (reasoning_of(e.kind) == Reasoning::kExact) return;
  if (family_of(e.kind) == OpFamily::kSignal) count_mail(steps_[count_ - 1].act.op);
  look_for_unmodelled(steps_[count_ - 1].act.op);
}

// More signals taken than sent: they came from a timer, or from outside.
void Steps::count_mail(const OperationView& op) {
  if (op.kind == OpKind::kSignalSend || op.kind == OpKind::kCancel) {
    mail_for_ |= op.value == kNoThread ? ~std::uint64_t{0} : std::uint64_t{1} << (op.value & 63);
  } else {
    mail_for_ |= std::uint64_t{1} << (op.thread & 63);
  }
  if (op.kind == OpKind::kSignalSend) ++unread_;
  if ((op.bits & kFailed) != 0 || (op.kind != OpKind::kSignalHandle && op.kind != OpKind::kSignalWait)) return;
  if (unread_ == 0 && unmodelled_.kind == OpKind::kNone) unmodelled_ = {op.kind, op.location};
  if (unread_ != 0) --unread_;
}

void Steps::look_for_unmodelled(const OperationView& op) {
  if (unmodelled_.kind == OpKind::kNone && reasoning_of(op.kind) == Reasoning::kUnknown) {
    unmodelled_ = {op.kind, op.location};
  }
}

void Steps::take_choices(std::span<const DecisionRecord> decisions) {
  std::size_t next = 0;
  for (std::uint32_t i = 0; i < count_; ++i) {
    Step& step = steps_[i];
    const bool signal = step.act.op.kind == OpKind::kCondSignal && step.act.op.value != kNoThread;
    const OpKind kind = step.act.op.kind;
    const bool chooses = kind == OpKind::kChoice || kind == OpKind::kDeliver || kind == OpKind::kSelect;
    if ((!signal && !chooses) || step.operand < 2) continue;
    while (next < decisions.size() && (decisions[next].chosen & kDataChoice) == 0) ++next;
    if (next == decisions.size()) break;
    step.options = decisions[next].options;
    step.act.choice = decisions[next].chosen & ~kDataChoice;
    ++next;
  }
  // The receiver of a signal that is for the process is a choice too, but no step's.
  while (next < decisions.size() && (decisions[next].chosen & kDataChoice) == 0) ++next;
  if (next < decisions.size() && unmodelled_.kind == OpKind::kNone) unmodelled_ = {OpKind::kSignalSend, 0};
}

// The decision before each step, if there was one.
void Steps::take_decisions(std::span<const DecisionRecord> decisions) {
  std::size_t next = 0;
  for (std::uint32_t i = 0; i < count_; ++i) {
    if (!steps_[i].chosen) continue;
    std::size_t at = next;
    while (at < decisions.size() && decisions[at].chosen != steps_[i].column) ++at;
    if (at == decisions.size()) continue;
    steps_[i].decision = static_cast<std::uint32_t>(at);
    next = at + 1;
  }
}

// The operation that the execution ended in is a step like any other.
void Steps::take_begun(const TraceView& trace) {
  const std::uint32_t n = trace.result->pending < kMaxWaiting ? trace.result->pending : kMaxWaiting;
  for (std::uint32_t i = 0; i < n; ++i) {
    const PendingRecord& record = trace.pending[i];
    if (record.begun != 0 && record.operation.kind < OpKind::kCount) add(record.operation, record.operand);
  }
}

void Steps::take_pending(const TraceView& trace) {
  const std::uint32_t n = trace.result->pending < kMaxWaiting ? trace.result->pending : kMaxWaiting;
  for (std::uint32_t i = 0; i < n; ++i) {
    const PendingRecord& record = trace.pending[i];
    const OpKind kind = record.operation.kind;
    if (kind == OpKind::kNone || kind >= OpKind::kCount || record.operation.thread >= kMaxColumns || record.begun != 0)
      continue;
    Step& step = pending_[pending_count_];
    step = Step{};
    put_view(record.operation, step.act.op);
    step.column = record.operation.thread;
    step.operand = record.operand;
    step.waited = record.spinning != 0;
    step.pending = true;
    step.gate = gate_of(record.operation);
    name_place(record.operation, step);
    translate(step.act);
    step.keys = keys_of(step.act);
    step.previous = last_[step.column];
    step.position = step.previous == kNoStep ? 1 : steps_[step.previous].position + 1;
    step.phase = phase_;
    step.fired = fired_at(record.operation, record.operand);
    ++pending_count_;
  }
}

bool Steps::somebody_was_not_joined() const {
  std::uint32_t created = 0;
  std::uint32_t joined = 0;
  for (std::uint32_t i = 0; i < count_; ++i) {
    const OperationView& op = steps_[i].act.op;
    created += op.kind == OpKind::kThreadCreate;
    joined += op.kind == OpKind::kThreadJoin && (op.bits & kFailed) == 0;
  }
  return created > joined;
}

bool Steps::finish(const TraceView& trace, std::span<const DecisionRecord> decisions) {
  set_dependence(order_, trace.plan->sequence);
  if (trace.result->threads != 0) (void)name_of(trace.result->threads - 1);
  take_begun(trace);
  columns_ = named_;
  stride_ = (columns_ + kTogether - 1) / kTogether * kTogether;
  if (overflow_ || std::size_t{count_} * stride_ > kMaxClocks) return false;
  take_choices(decisions);
  take_decisions(decisions);
  take_pending(trace);
  if (unmodelled_.kind == OpKind::kNone && trace.result->close_kind < OpKind::kCount) {
    unmodelled_ = {trace.result->close_kind, trace.result->close_wait};
  }
  // The process ended: whoever did that took the others' turns away, or could have. What was joined comes before it.
  const OutcomeKind outcome = trace.result->outcome;
  if (count_ != 0 && outcome != OutcomeKind::kDeadlock && outcome != OutcomeKind::kHeld && ran_to_its_end(outcome)) {
    const ThreadIndex who = trace.result->thread;
    const std::uint32_t last = who < columns_ ? last_[who] : kNoStep;
    if (last != kNoStep && (trace.result->live_at_end > 1 || somebody_was_not_joined())) {
      forget_order_from(last);
      steps_[last].act.ends = true;
      steps_[last].keys = kEveryKey;
    }
  }
  order();
  return true;
}

// Positions are below 2^31, so they may be compared as signed numbers, which every processor does four at a time.
void Steps::join(std::uint32_t* to, const std::uint32_t* from) const {
  using Four = std::int32_t __attribute__((vector_size(16), aligned(4), may_alias));
  for (std::uint32_t c = 0; c < stride_; c += kTogether) {
    Four& mine = *reinterpret_cast<Four*>(to + c);
    const Four other = *reinterpret_cast<const Four*>(from + c);
    const Four larger = mine > other;
    mine = (mine & larger) | (other & ~larger);
  }
}

void Steps::look_for_surprise(std::uint32_t step) {
  const OperationView& op = steps_[step].act.op;
  if (!looks_at_memory(op.kind) && !is_memory_access(op.kind)) return;
  const auto is_before_it = [&](const OperationView& other) {
    return (looks_at_memory(other.kind) || is_memory_access(other.kind)) &&
           ranges_meet(op.place, op.size, other.place, other.size);
  };
  const bool several = steps_[step].keys.spot == kSeveral;
  StepIndex::Walk walk = index_.walk(several ? 0 : steps_[step].keys.spot, step);
  const auto back = [&](std::uint32_t from) { return several ? from - 1 : walk.back(); };
  std::uint32_t before = back(step);
  while (before != kNoStep && !is_before_it(steps_[before].act.op)) before = back(before);
  if (before == kNoStep) return;
  const OperationView& other = steps_[before].act.op;
  if (other.place != op.place || other.size != op.size) return;
  const bool wrote = has_write_effect(other.kind, other.bits);
  const std::uint64_t left = wrote ? value_left(steps_[before]) : value_found(steps_[before]);
  if (left != value_found(steps_[step])) surprises_[surprise_count_++] = step;
}

void Steps::join_before_phase(std::uint32_t phase, std::uint32_t* to) const {
  for (std::uint32_t i = 0; i < count_ && steps_[i].phase < phase; ++i) join(to, clock(i));
}

std::uint32_t Steps::waker_of(const Step& step, std::uint32_t end) const {
  const bool over = (step.act.op.bits & kTimeout) != 0;  // nobody woke it
  if (order_ != StepOrder::kSequences || step.act.op.kind != OpKind::kCondReacquire || step.previous == kNoStep ||
      over) {
    return kNoStep;
  }
  for (std::uint32_t i = step.previous + 1; i < end; ++i) {
    const OperationView& op = steps_[i].act.op;
    if (op.place != step.act.op.place) continue;
    if (op.kind == OpKind::kCondBroadcast) return i;
    if (op.kind == OpKind::kCondSignal && op.value == step.act.op.thread) return i;
  }
  return kNoStep;
}

// Memory that somebody else takes for a mutex: nobody can say beforehand who will then have it.
void Steps::look_for_copied_mutex(const OperationView& a, const OperationView& b) {
  const OpFamily of_a = family_of(a.kind);
  const OpFamily of_b = family_of(b.kind);
  const bool copied = (of_a == OpFamily::kMemory && of_b == OpFamily::kMutex) ||
                      (of_a == OpFamily::kMutex && of_b == OpFamily::kMemory);
  if (!copied || !dependent(a, b) || a.thread == b.thread) return;
  copies_mutex_ = true;
  const OperationView& access = of_a == OpFamily::kMemory ? a : b;
  if (unmodelled_.kind == OpKind::kNone) unmodelled_ = {access.kind, access.location};
}

void Steps::forget_order_from(std::uint32_t step) {
  if (ordered_ > step) ordered_ = step;
  std::atomic_signal_fence(std::memory_order_seq_cst);
}

// What was ordered under other conditions, or has more to tell than clocks.
void Steps::forget_order_of_others() {
  const bool phases = count_ != 0 && steps_[count_ - 1].phase != 0;
  const bool same = stride_ == ordered_stride_ && index_.buckets() == ordered_buckets_ &&
                    dependence_rule == ordered_by_ && !phases && !copies_mutex_;
  forget_order_from(same ? count_ : 0);
  copies_mutex_ = false;
  ordered_stride_ = stride_;
  ordered_buckets_ = index_.buckets();
  ordered_by_ = dependence_rule;
  while (surprise_count_ != 0 && surprises_[surprise_count_ - 1] >= ordered_) --surprise_count_;
}

// What is ordered before a step that covers all of its kind need not be asked for: most walks are short.
void Steps::order() {
  index_.build(count_, columns_, [this](std::uint32_t i) {
    return StepIndex::Entry{steps_[i].keys.spot, steps_[i].column, reads_only(steps_[i].act)};
  });
  forget_order_of_others();
  for (std::uint32_t c = 0; c < stride_; ++c) barrier_[c] = 0;
  std::uint32_t phase_began = 0;
  for (std::uint32_t i = ordered_; i < count_; ++i) {
    if (i != 0 && steps_[i].phase != steps_[i - 1].phase) {
      for (; phase_began < i; ++phase_began) join(barrier_, clock(phase_began));
    }
    order_one(i, phase_began);
    std::atomic_signal_fence(std::memory_order_seq_cst);
    ordered_ = i + 1;
  }
}

void Steps::order_one(std::uint32_t i, std::uint32_t phase_began) {
  const Step& step = steps_[i];
  std::uint32_t* own = clocks_ + std::size_t{i} * stride_;
  set_clock(own, barrier_);
  if (step.previous != kNoStep) join(own, clock(step.previous));
  bool all = !reads_only(step.act) || step.keys.spot == kSeveral;  // others that read were not asked
  visit_related(step, i, [&](std::uint32_t j) {
    const Step& other = steps_[j];
    if (j < phase_began) return Related::kAllOrdered;
    if (other.position > own[other.column]) {
      const bool same_atomic = step.name != 0 && step.gate != 0 && step.gate == other.gate;
      if (!same_atomic && !conflicts(other.act, step.act)) {
        all = false;
        return Related::kOpen;
      }
      look_for_copied_mutex(other.act.op, step.act.op);
      join(own, clock(j));
    }
    return Related::kOrdered;
  });
  if (const std::uint32_t waker = waker_of(step, i); waker != kNoStep) join(own, clock(waker));
  covers_[i] = all;
  look_for_surprise(i);
  own[step.column] = step.position;
}

}  // namespace ravel
