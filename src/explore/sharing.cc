// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Ravel authors
//
// sharing: the reduction that Java PathFinder makes by itself, as a baseline to measure others by. A thread that is
// about to use an object is interrupted only if at least two threads that can run have ever used that object, in the
// whole search so far; then everybody who can run is tried, those that never touch it as well. After the start and the
// end of a thread, and where the running one has to wait, everybody is tried too.
//
// Not complete, by design: sharing is discovered while the search goes on, and the first use on a path, before anybody
// knew, is not come back to. The result is never called complete. As in the original the same schedule may come more
// than once: a thread that was chosen at one stop makes a stop of its own before it goes on.
//
// by=escape is another baseline: every access to memory that two threads may reach, with state matching.
//
// A killed worker's step is undone by the journal; entries behind the committed counts are free to be written.
#include <new>

#include "base/hash.h"
#include "base/journal.h"
#include "explore/decision_path.h"
#include "explore/parameters.h"
#include "explore/path_search.h"
#include "explore/sampling.h"
#include "explore/state_match.h"
#include "explore/steps.h"
#include "explore/strategies.h"
#include "model/policy_depth.h"

namespace ravel {
namespace {

constexpr std::uint32_t kJournalEntries = 1u << 18;
constexpr std::uint32_t kMostThreads = 64;
constexpr std::uint32_t kSlots = 1u << 16;  // objects

// One set of choices. Several may be at the same decision; the last one's choice is what is run.
struct Stop {
  std::uint32_t decision;
  std::uint32_t first;  // ranks
  std::uint32_t current;
  ThreadIndex maker;  // about to use a shared object; kNoThread: a start or an end
};

struct Users {
  std::uint64_t object;  // 0: free
  std::uint64_t threads;
};

class Sharing final : public Strategy, public Observer {
 public:
  explicit Sharing(std::pmr::memory_resource& memory)
      : journal_(memory, kJournalEntries),
        steps_(memory),
        path_(memory),
        stops_(static_cast<Stop*>(memory.allocate(sizeof(Stop) * kMaxDecisions, alignof(Stop)))),
        users_(static_cast<Users*>(memory.allocate(sizeof(Users) * kSlots, alignof(Users)))) {
    for (std::uint32_t i = 0; i < kSlots; ++i) users_[i] = {};
  }

  bool next(PlanWriter& plan) override {
    if (finished_ != 0) return false;
    plan.spec.policy = PolicySpec{};
    plan.spec.record_steps = 1;
    path_.write(plan, length_, length_ == 0 ? 0 : path_[length_ - 1].current);
    return true;
  }

  void begin(const TraceView& trace) override { steps_.begin(trace); }
  // Of plain accesses only those that are points are steps.
  [[nodiscard]] Wants wants() const override { return kWantsClasses | kWantsKnown; }
  void on_event(const Event& event, const Moment& at) override { steps_.add(event, at.operand); }

  Share learn(const Execution& execution) override {
    journal_.begin();
    if (execution.points_grew) {
      journal_.set(length_, std::uint32_t{0});
      journal_.set(stop_count_, std::uint32_t{0});
      for (std::uint8_t* flag : {&finished_, &cut_, &diverged_}) journal_.set(*flag, std::uint8_t{0});
    } else {
      take_in(execution);
      step_on();
    }
    journal_.commit();
    return Share::kCounts;
  }

  void recover(std::uint64_t learned) override { journal_.recover(learned); }
  // It keeps what it set out to do; that is not everything.
  [[nodiscard]] SearchVerdict verdict(std::uint64_t) const override {
    return {.kept = finished_ != 0 && cut_ == 0 && diverged_ == 0, .note = note()};
  }

 private:
  [[nodiscard]] std::string_view note() const {
    if (diverged_ != 0) return "a prefix did not fit when it was run again: the program is not deterministic";
    if (cut_ != 0) return "some executions were cut, or are too long for the search";
    if (finished_ != 0) return "ended; objects that were found to be shared late may hide behaviours";
    return {};
  }

  void raise(std::uint8_t& flag) {
    if (flag == 0) journal_.set(flag, std::uint8_t{1});
  }

  void take_in(const Execution& execution) {
    const OutcomeKind outcome = execution.result.outcome;
    if (!ran_to_its_end(outcome)) raise(outcome == OutcomeKind::kDiverged ? diverged_ : cut_);
    const std::uint32_t known = length_;  // decisions that were planned
    std::uint32_t length = length_;
    const DecisionPath::Fit fit = path_.extend(execution, &length);
    if (fit == DecisionPath::Fit::kDiverged) return raise(diverged_);
    if (fit == DecisionPath::Fit::kTooBig || !steps_.finish(execution.trace, execution.decisions)) raise(cut_);
    journal_.set(length_, length);
    make_stops(known);
  }

  // From the last planned decision on.
  void make_stops(std::uint32_t known) {
    std::uint64_t marked = 0;  // threads whose next operation has had its stop
    std::uint32_t count = stop_count_;
    std::uint32_t stop = 0;
    std::uint32_t decision = 0;
    bool everybody = false;  // a thread was started or has ended
    for (std::uint32_t i = 0; i < steps_.count(); ++i) {
      const Step& step = steps_[i];
      if (step.column >= kMostThreads) return raise(cut_);
      const std::uint64_t bit = std::uint64_t{1} << step.column;
      if (step.decision < length_) {
        // Data choices on the way are stops of their own.
        for (; decision < step.decision; ++decision) {
          if (decision >= known && path_[decision].threads_at == kNotListed)
            count = add_stop(count, decision, kNoThread);
        }
        decision = step.decision + 1;
        for (; stop < stop_count_ && stops_[stop].decision <= step.decision; ++stop) {
          if (stops_[stop].decision == step.decision && stops_[stop].maker < kMostThreads) {
            marked |= std::uint64_t{1} << stops_[stop].maker;
          }
        }
        const bool fresh = step.decision >= known;
        if (fresh && (everybody || path_[step.decision].running == kNoThread)) {
          count = add_stop(count, step.decision, kNoThread);
        }
        if (step.decision + 1 >= known && (marked & bit) == 0 && is_shared(step)) {
          count = add_stop(count, step.decision, step.column);
        }
        everybody = false;
      } else {
        (void)is_shared(step);
        everybody = everybody && !step.listed;
      }
      marked &= ~bit;
      everybody = everybody || step.act.op.kind == OpKind::kThreadCreate || step.act.op.kind == OpKind::kThreadEnd;
    }
    for (; decision < length_; ++decision) {
      if (decision >= known && path_[decision].threads_at == kNotListed) count = add_stop(count, decision, kNoThread);
    }
    journal_.set(stop_count_, count);
  }

  std::uint32_t add_stop(std::uint32_t count, std::uint32_t decision, ThreadIndex maker) {
    if (count == kMaxDecisions) return count;
    stops_[count] = {decision, path_[decision].current, path_[decision].current, maker};
    return count + 1;
  }

  // Enters the step's thread among the users of its object; true: two of them could run here.
  bool is_shared(const Step& step) {
    const std::uint64_t object = step.act.object;
    const bool used = is_memory_access(step.act.op.kind) || op_class(step.act.op.kind) == OpClass::kSync;
    if (object == 0 || !used) return false;
    std::uint32_t slot = static_cast<std::uint32_t>(mix64(object)) % kSlots;
    for (std::uint32_t tried = 0; users_[slot].object != 0 && users_[slot].object != object; ++tried) {
      if (tried == kSlots) return true;
      slot = (slot + 1) % kSlots;
    }
    Users& users = users_[slot];
    const std::uint64_t bit = std::uint64_t{1} << step.column;
    if ((users.threads & bit) == 0 && journal_.has_room(64)) {
      journal_.set(users.object, object);
      journal_.set(users.threads, users.threads | bit);
    }
    if (step.decision >= length_) return false;
    const DecisionPath::Entry& entry = path_[step.decision];
    std::uint32_t able = 0;
    for (std::uint32_t rank = 0; rank < entry.options; ++rank) {
      const std::uint32_t thread = path_.choice(entry, rank);
      able += thread < kMostThreads && (users.threads >> thread & 1) != 0;
    }
    return able >= 2;
  }

  void step_on() {
    for (std::uint32_t n = stop_count_; n > 0; --n) {
      Stop& stop = stops_[n - 1];
      DecisionPath::Entry& entry = path_[stop.decision];
      const std::uint32_t rank = stop.current + 1 == entry.options ? 0 : stop.current + 1;
      if (rank == stop.first) continue;
      journal_.set(stop.current, rank);
      journal_.set(entry.current, rank);
      journal_.set(length_, stop.decision + 1);
      journal_.set(stop_count_, n);
      return;
    }
    journal_.set(length_, std::uint32_t{0});
    journal_.set(stop_count_, std::uint32_t{0});
    raise(finished_);
  }

  Journal journal_;
  Steps steps_;
  DecisionPath path_;
  Stop* stops_;
  Users* users_;
  std::uint32_t length_ = 0;
  std::uint32_t stop_count_ = 0;
  std::uint8_t finished_ = 0;
  std::uint8_t cut_ = 0;
  std::uint8_t diverged_ = 0;
};

// by=escape: everybody who can run is tried at every access to memory that two threads may reach (--points shared), and
// a state in which the search has been is not searched again: what heap reachability and state matching do.
class Escape final : public PathSearch, public Observer {
 public:
  Escape(std::pmr::memory_resource& memory, const StrategyOptions& options, StateMatch* match)
      : PathSearch(memory, options, 0, match) {}
  void begin(const TraceView&) override {}
  void on_event(const Event&, const Moment&) override {}
};

}  // namespace

StrategyParts create_sharing(std::pmr::memory_resource& memory, const StrategyOptions& options,
                             std::string_view& error) {
  if (options.parameters["by"] == 0) return make_strategy<Sharing>(memory, memory);
  if (options.shard_count > 1) {
    error = "by=escape is searched by one process";
    return {};
  }
  void* room = memory.allocate(sizeof(StateMatch), alignof(StateMatch));
  return make_strategy<Escape>(memory, memory, options,
                               new (room) StateMatch(memory, options.visited, kSliceWhole, options.seed));
}

}  // namespace ravel
