// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Ravel authors
#include "support/fake_executor.h"

#include <sys/mman.h>
#include <unistd.h>

#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <new>
#include <utility>

#include "model/turn_prefix.h"
#include "runtime/policy/policy.h"
#include "semantics/effects.h"
#include "semantics/pending_form.h"
#include "support/model_execution.h"
#include "wire/facts_table.h"

namespace ravel::testing {
namespace {

// Which step a step shares its place with.
std::uint32_t place_of(const toy::Program& program, std::uint32_t thread, std::uint32_t pc) {
  const std::uint32_t as = program.threads[thread][pc].as;
  return as != 0 ? as - 1 : pc;
}

// One execution in progress.
class Run {
 public:
  explicit Run(SharedBlock& block) : block_(block) {
    turns_.begin(block.prefix, by_turns() ? block.plan.prefix_segments : 0);
  }

  // The choice the prefix wants next, if any is left.
  [[nodiscard]] bool prefix(std::uint32_t& choice) {
    while (segment_ < block_.plan.prefix_segments && used_ == block_.prefix[segment_].count) {
      ++segment_;
      used_ = 0;
    }
    if (segment_ >= block_.plan.prefix_segments) return false;
    ++used_;
    choice = block_.prefix[segment_].thread;
    return true;
  }

  [[nodiscard]] std::uint32_t left() const {
    std::uint32_t left = 0;
    for (std::uint32_t i = segment_; i < block_.plan.prefix_segments; ++i) left += block_.prefix[i].count;
    return segment_ < block_.plan.prefix_segments ? left - used_ : left;
  }

  // Plans by turns.
  [[nodiscard]] bool by_turns() const { return block_.plan.prefix_kind == PrefixKind::kTurns; }
  [[nodiscard]] ThreadIndex turn(std::uint64_t can_run) {
    if (!by_turns()) return kNoThread;
    return turns_.wish([&](ThreadIndex thread) { return done_[thread % 64]; },
                       [&](ThreadIndex thread) { return thread < 64 && (can_run >> thread & 1) != 0; });
  }
  [[nodiscard]] std::uint32_t alternative(std::uint32_t n) {
    std::uint32_t taken = 0;
    return turns_.next_data(n, taken) ? taken : 0;
  }
  void did(ThreadIndex thread) { ++done_[thread % 64]; }

  // Plans by step: the thread that runs next without a decision takes its entry of the prefix. False: another was
  // meant.
  [[nodiscard]] bool pass(std::uint32_t thread) {
    std::uint32_t meant = thread;
    return block_.plan.prefix_kind != PrefixKind::kSteps || !prefix(meant) || meant == thread;
  }

  // Of a data choice only the number of alternatives is known.
  void decided(std::uint32_t choice, std::uint32_t options, ThreadIndex current = kNoThread,
               std::span<const OperationView> ready = {}) {
    ExecutionResult& result = block_.result;
    const std::uint32_t at = ready.empty() ? kNotListed : result.enabled;
    if (result.decisions < kMaxDecisions) block_.decisions[result.decisions] = {choice, options, current, at};
    for (const OperationView& view : ready) block_.enabled[result.enabled++] = view.thread;
    ++result.decisions;
    if (result.segments != 0 && block_.schedule[result.segments - 1].thread == choice) {
      ++block_.schedule[result.segments - 1].count;
    } else {
      block_.schedule[result.segments++] = {choice, 1};
    }
  }

  // `units` of a semaphore are left behind the operation.
  [[nodiscard]] Event event_of(const OperationView& done, std::uint32_t step, std::uint32_t units) const {
    Event e;
    e.kind = done.kind;
    e.bits = done.bits;
    e.size = done.size;
    e.thread = done.thread;
    e.object = static_cast<ObjectId>(1 + (done.place >> 12));
    e.offset = static_cast<std::uint32_t>(done.place & 0xfff);
    e.location = FakeExecutor::location_of(done.thread, step);
    e.value = done.value;
    if (family_of(e.kind) == OpFamily::kSem) e.value = units;
    if (has_second_place(e.kind) || (e.kind == OpKind::kSelect && e.value != 0)) {
      e.value = (1 + (done.value >> 12)) << 32 | (done.value & 0xfff);
    }
    return e;
  }

 private:
  SharedBlock& block_;
  TurnPrefix turns_;
  std::uint32_t done_[64] = {};  // events of each thread
  std::uint32_t segment_ = 0;
  std::uint32_t used_ = 0;
};

// The execution in progress, for a policy that asks.
struct Seen {
  const SharedBlock& block;
  const toy::Program& program;
  const toy::State& state;
  const Run& run;
};
const Seen* seen_now = nullptr;

GoalSeat goal_seat(SharedBlock& block) {
  GoalSeat seat;
  seat.goals = block.goals;
  seat.rules = block.plan.goals;
  seat.report = &block.result.goals;
  if (seat.rules.reach != 0) {
    seat.reach = facts_in(reinterpret_cast<const FactsTableHeader*>(block.campaign.facts)).reach;
  }
  seat.calls = [](ThreadIndex, LocationId*, std::uint32_t) { return std::uint32_t{0}; };
  seat.planned_left = [] { return seen_now->run.left(); };
  seat.name_of = [](ThreadIndex thread) { return thread_name_in(seen_now->block.threads, thread); };
  seat.context_of = [](ThreadIndex) { return ContextId{0}; };
  seat.pending_of = [](LastingName name, OperationView& pending) {
    const Seen& seen = *seen_now;
    for (std::uint32_t t = 0; t < seen.program.threads.size(); ++t) {
      if (thread_name_in(seen.block.threads, t) != name || toy::finished(seen.program, seen.state, t)) continue;
      pending = toy::pending(seen.program, seen.state, t);
      pending.location = FakeExecutor::location_of(t, place_of(seen.program, t, seen.state.threads[t].pc));
      for (const toy::Transition& way : toy::enabled(seen.program, seen.state)) {
        if (way.thread == t) return Standing::kReady;
      }
      return Standing::kWaits;
    }
    return Standing::kNotThere;
  };
  return seat;
}

// When, and whether it could time out.
std::uint64_t time_operand(const toy::Step& step, const toy::ThreadState& thread, const toy::State& state,
                           std::uint8_t bits) {
  const bool over = (bits & kTimeout) != 0;
  return std::uint64_t{over ? thread.timed_out_at : state.advances} << 1 | (step.timed ? 1 : 0);
}

// What SharedBlock::operands says beside the event.
std::uint64_t operand_of(const toy::Program& program, const toy::State& before, const toy::State& after,
                         const OperationView& done, std::size_t ways) {
  const toy::Step& step = program.threads[done.thread][before.threads[done.thread].pc];
  switch (done.kind) {
    case OpKind::kWrite:
    case OpKind::kAtomicStore:
      return toy::read_memory(before, step.at, step.size);
    case OpKind::kAtomicRmw:
      return toy::read_memory(after, step.at, step.size);
    case OpKind::kAtomicCas:
      return (done.bits & kFailed) != 0 ? step.value : step.desired;
    case OpKind::kFutexWait:
      return step.value;
    case OpKind::kCondSignal:
    case OpKind::kChoice:
    case OpKind::kDeliver:
    case OpKind::kSelect:
      return ways;
    case OpKind::kPhaseArrive:
      return before.phases[step.at].needed;
    case OpKind::kBarrierArrive:
      return before.barriers[step.at].needed;
    default:
      return time_operand(step, before.threads[done.thread], before, done.bits);
  }
}

}  // namespace

Block::Block() {
  void* room =
      mmap(nullptr, sizeof(SharedBlock), PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
  if (room == MAP_FAILED) {
    std::perror("mmap");
    std::abort();
  }
  block_ = static_cast<SharedBlock*>(room);
  block_->campaign = Campaign{};
  block_->plan = PlanSpec{};
}

Block::~Block() {
  munmap(block_, sizeof(SharedBlock));
}

FakeExecutor::FakeExecutor(SharedBlock& block, toy::Program program, Judge judge)
    : block_(block), program_(std::move(program)), judge_(std::move(judge)) {}

bool FakeExecutor::is_point(const OperationView& operation) const {
  if (op_class(operation.kind) != OpClass::kPlain || block_.plan.points == PointsMode::kAll) return true;
  if (block_.plan.points == PointsMode::kSync) return false;
  return std::binary_search(block_.racy, block_.racy + block_.plan.racy_locations, operation.location);
}

SequenceGate::Operation FakeExecutor::at_gate(const Event& event) const {
  const auto name_of = [&](std::uint64_t place) { return place_name_in(block_.threads, block_.objects, place); };
  const LastingName object = name_of(sequence_place(event.kind, place_of(event), event.value));
  if (event.kind == OpKind::kSelect) return {name_of(event.value), object, event.kind};
  const bool message = event.kind == OpKind::kDeliver;
  const LastingName thread =
      thread_name_in(block_.threads, message ? ThreadIndex(sender_of(event.value)) : event.thread);
  return {message ? message_name(thread, static_cast<std::uint32_t>(event.value)) : thread, object, event.kind};
}

// Of a thread that is to receive a message, one that the gate admits.
std::uint32_t FakeExecutor::first_admitted(Event event, const toy::State& state) const {
  std::vector<std::uint64_t> values;
  if (event.kind == OpKind::kDeliver) values = toy::parcels_for(program_, state, event.thread);
  if (event.kind == OpKind::kSelect) {
    for (const std::uint32_t queue : toy::queues_for(program_, state, event.thread)) {
      const std::uint64_t place = toy::queue_place(queue);
      values.push_back((1 + (place >> 12)) << 32 | (place & 0xfff));
    }
    if (values.empty()) return 0;  // it has a call, or nothing
  }
  std::uint32_t at = 0;
  for (const std::uint64_t value : values) {
    event.value = value;
    if (gate_->admits(at_gate(event))) return at;
    ++at;
  }
  return kNoStep;
}
bool FakeExecutor::admits(const Event& event, const toy::State& state) const {
  const bool over = state.threads[event.thread].timed_out != 0;
  if (over && event.kind != OpKind::kCondReacquire && gate_->lets_go()) return true;
  const bool receives = event.kind == OpKind::kDeliver || event.kind == OpKind::kSelect;
  return receives ? first_admitted(event, state) != kNoStep : gate_->admits(at_gate(event));
}

void FakeExecutor::tell_gate(const Event& event) {
  const bool receives = event.kind == OpKind::kTake || event.kind == OpKind::kTryTake;
  if (receives && !event.failed()) gate_->received(place_name_in(block_.threads, block_.objects, place_of(event)));
  if (completes_nothing(event)) return;
  LastingName woken = 0;
  if (event.kind == OpKind::kCondSignal) {
    woken = event.value == kNoThread ? kNobody : thread_name_in(block_.threads, static_cast<ThreadIndex>(event.value));
  }
  if (is_withdrawn(event.bits) && gate_->withdrew(at_gate(event))) return;
  gate_->passed(at_gate(event), event.failed(), woken);
}

void FakeExecutor::pause(std::uint32_t) {
  usleep(20);
}

void FakeExecutor::execute(EventSink& sink) {
  const std::uint64_t run_number = runs++;
  if (at_start) at_start(run_number);
  plans.push_back(block_.plan);
  ExecutionResult& result = block_.result;
  result.outcome = OutcomeKind::kCompleted;
  result.events = 0;
  result.steps = 0;
  result.decisions = result.segments = result.waiting = result.races = result.data_choices = 0;
  result.switches = result.preemptions = 0;
  result.exit_status = 0;
  result.message[0] = 0;
  result.location = 0;
  result.callouts = 1;
  result.max_live = result.threads = static_cast<std::uint32_t>(program_.threads.size());
  result.pending = result.enabled = 0;
  result.live_at_end = 0;
  for (std::uint32_t t = 0; t < result.threads; ++t) {
    block_.threads[t].parent = kNoThread;
    block_.threads[t].ordinal = t;
    block_.threads[t].created_at = block_.campaign.facts != 0 ? created_at(t) : LocationId{0};
  }

  // Objects with names that last, as those of a program are.
  for (std::uint32_t i = 1; i < 64; ++i) {
    block_.objects[i].kind = ObjectKind::kModule;
    block_.objects[i].owner = i;
  }
  result.sequence_done = result.sequence_at = result.sequence_fits = 0;
  gate_->begin(block_.sequence, block_.plan.sequence);

  Run run(block_);
  toy::State state = toy::initial_state(program_);
  Policy& policy = policy_for(block_.plan.policy.kind);
  const Seen seen{block_, program_, state, run};
  seen_now = &seen;
  if (is_guided(block_.plan.policy.kind)) {
    GuideSeat seat;
    seat.progress = &result.guide;
    seat.log = block_.ranked;
    seat.visited = &block_.visited;
    seat.decisions = &result.decisions;
    policy.guide(seat);
  }
  if (block_.plan.policy.kind == PolicyKind::kFulfil) policy.seek(goal_seat(block_));
  policy.begin(block_.plan.policy);
  std::vector<std::uint32_t> schedule;
  last_operations.clear();
  ThreadIndex last = kNoThread;
  std::uint64_t sequence = 0;
  for (;;) {
    const std::vector<toy::Transition> all = toy::enabled(program_, state);
    if (all.empty() && toy::pass_time(program_, state)) continue;
    if (all.empty()) break;
    if (result.steps.load() >= block_.plan.max_steps) {
      result.outcome = OutcomeKind::kStepLimit;
      break;
    }
    // The threads that could run, with what they would do.
    std::vector<OperationView> ready;
    std::uint64_t mask = 0;
    int current = -1;
    for (const toy::Transition& t : all) {
      if ((mask >> t.thread & 1) != 0) continue;
      mask |= std::uint64_t{1} << t.thread;
      OperationView view = toy::pending(program_, state, t.thread);
      view.location = location_of(t.thread, place_of(program_, t.thread, state.threads[t.thread].pc));
      if (t.thread == last) current = static_cast<int>(ready.size());
      ready.push_back(view);
    }
    const bool alone = ready.size() == 1;
    if (policy.gives_up()) {
      result.outcome = OutcomeKind::kAbandoned;
      break;
    }
    if (gate_->is_on()) {
      std::vector<OperationView> admitted;
      mask = 0;
      current = -1;
      for (const OperationView& view : ready) {
        if (!admits(run.event_of(view, 0, 0), state)) continue;
        if (view.thread == last) current = static_cast<int>(admitted.size());
        mask |= std::uint64_t{1} << view.thread;
        admitted.push_back(view);
      }
      ready = std::move(admitted);
      if (ready.empty() || gate_->is_over()) {
        result.outcome = OutcomeKind::kHeld;
        break;
      }
    }
    std::uint32_t thread = ready[0].thread;
    bool decided = false;
    if (current >= 0 && !is_point(ready[static_cast<std::size_t>(current)])) {
      thread = last;
    } else if (!alone) {
      const ThreadIndex turn = run.turn(mask);
      if (turn != kNoThread) {
        thread = turn;
      } else if (!run.by_turns() && run.prefix(thread)) {
        if (thread >= 64 || (mask >> thread & 1) == 0) {
          result.outcome = OutcomeKind::kDiverged;
          result.diverged_at = result.decisions;
          break;
        }
      } else {
        const std::size_t pick = policy.pick(Ready{ready, current, false});
        if (pick == Policy::kGiveUp) {
          result.outcome = OutcomeKind::kAbandoned;
          break;
        }
        thread = ready[pick].thread;
      }
      run.decided(thread, static_cast<std::uint32_t>(ready.size()), current >= 0 ? last : kNoThread, ready);
      decided = true;
      if (current >= 0 && thread != last) ++result.preemptions;
    } else if (!run.pass(thread)) {
      result.outcome = OutcomeKind::kDiverged;
      break;
    }
    // What is left open within the thread's operation (which waiter, time-out or not) is a data choice.
    std::vector<toy::Transition> ways;
    for (const toy::Transition& t : all) {
      if (t.thread == thread) ways.push_back(t);
    }
    std::uint32_t way = 0;
    if (ways.size() > 1) {
      std::uint32_t choice = kDataChoice;
      std::uint32_t chosen = 0;
      const OperationView next = toy::pending(program_, state, thread);
      const bool deliver = next.kind == OpKind::kDeliver || next.kind == OpKind::kSelect;
      if (gate_->is_on() && deliver && !run.by_turns() && run.left() == 0) {
        choice |= first_admitted(run.event_of(next, 0, 0), state);
      } else if (gate_->is_on() && !deliver &&
                 gate_->choose(thread_name_in(block_.threads, thread), static_cast<std::uint32_t>(ways.size()),
                               chosen)) {
        choice |= chosen;
      } else if (run.by_turns()) {
        choice = kDataChoice | run.alternative(static_cast<std::uint32_t>(ways.size()));
      } else if (run.prefix(choice) && ((choice & kDataChoice) == 0 || (choice & ~kDataChoice) >= ways.size())) {
        result.outcome = OutcomeKind::kDiverged;
        break;
      }
      way = choice & ~kDataChoice;
      ++result.data_choices;
      run.decided(choice, static_cast<std::uint32_t>(ways.size()));
    }
    const toy::State before = state;
    const std::uint32_t step = state.threads[thread].pc;
    const OperationView done = toy::execute(program_, state, ways[way]);
    last_operations.push_back(done);
    // As pending operations are.
    OperationView shown = block_.plan.policy.kind == PolicyKind::kFulfil ? as_pending(done) : done;
    shown.location = location_of(thread, place_of(program_, thread, step));
    policy.executed(shown);
    if (ways.size() > 1) policy.chose(thread, way);
    const std::uint32_t at = program_.threads[thread][step].at;
    Event event =
        run.event_of(done, place_of(program_, thread, step), at < toy::kObjects ? state.semaphores[at].value : 0);
    const OperationView event_view = view_of(event);
    if (decided) event.bits |= kChosen;
    if (last != kNoThread && last != thread) ++result.switches;
    block_.ring[sequence & (kRingEvents - 1)] = event;
    block_.operands[sequence & (kRingEvents - 1)] =
        is_point(event_view) ? operand_of(program_, before, state, done, ways.size()) : kNoPoint;
    sink.consume(std::span<const Event>(&event, 1), sequence++);
    schedule.push_back(thread);
    run.did(thread);
    if (gate_->is_on()) tell_gate(event);
    last = thread;
    result.events = sequence;
    ++result.steps;
  }
  if (result.outcome == OutcomeKind::kCompleted && !toy::all_finished(program_, state)) {
    result.outcome = OutcomeKind::kDeadlock;
  } else if (result.outcome == OutcomeKind::kCompleted && judge_ && judge_(state)) {
    result.outcome = OutcomeKind::kAssertion;
    result.location = 77;
    std::snprintf(result.message, sizeof(result.message), "judge");
  }
  for (std::uint32_t t = 0; block_.plan.record_steps != 0 && t < program_.threads.size(); ++t) {
    if (toy::finished(program_, state, t)) continue;
    const toy::Step& next = program_.threads[t][state.threads[t].pc];
    OperationView view = toy::pending(program_, state, t);
    const bool unwoken = view.kind == OpKind::kCondReacquire && state.threads[t].waiting == Waiting::kWaits;
    if (state.threads[t].timed_out != 0 && unwoken) view.bits |= kTimeout;
    const std::uint64_t operand =
        view.kind == OpKind::kFutexWait ? next.value : time_operand(next, state.threads[t], state, view.bits);
    block_.pending_table[result.pending++] = {run.event_of(view, place_of(program_, t, state.threads[t].pc), 0),
                                              operand, 0, 0};
  }
  if (gate_->is_on()) {
    result.sequence_done = gate_->done();
    result.sequence_at = gate_->first_left();
    result.sequence_fits = gate_->left() == 0 && !gate_->is_over() && result.outcome != OutcomeKind::kHeld;
  }
  last_state = state;
  schedules.insert(std::move(schedule));
  if (at_end) at_end(run_number, block_);
}

}  // namespace ravel::testing
