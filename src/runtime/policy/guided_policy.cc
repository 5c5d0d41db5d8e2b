// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Ravel authors
//
// Guided: at every decision the thread that brings the execution nearest to the next place of a sequence (Rungta,
// Mercer, "A meta heuristic for effectively detecting concurrency errors", HVC 2008). Two tiers: a thread whose pending
// operation is the next place comes first; among the others the one with the least static distance to it. Ties are
// broken at random. States that the search has been in come last.
//
// Observed is a place when its operation is executed, or when a thread is found blocked there: the inner locks of a
// deadlock are never executed. When the sequence is used up the distance is that to a failing place.
//
// Departures: threads are ranked by what they are about to do, without running them; the distance of a state is the
// least over its threads, and the thread that has it is the one to move. A place may be tied to a role, which one
// thread plays (model/guide.h). Every choice is ranked in the log, so that the strategy can come back to it.
//
// kByProperty: the rank is how far the values in memory are from a failure (model/property.h), while a thread can still
// come to a failing place; who runs is left to chance.
#include "base/large_table.h"
#include "base/random.h"
#include "model/guide.h"
#include "model/policy_depth.h"
#include "runtime/policy/goal_operations.h"
#include "runtime/policy/policies.h"
#include "runtime/policy/prefix_hash.h"

namespace ravel {

namespace {

constexpr std::uint32_t kMostCalls = 64;

// All zero, so that the table lies in .bss; kFresh is what a thread begins with.
struct GuidedThread {
  std::uint32_t distance = 0;
  std::uint32_t column = 0;     // that the distance is for; kFarAway: the thread has moved
  std::uint32_t start_row = 0;  // distances from where it begins
  LocationId place = 0;         // of the pending operation, in the user's code
  LocationId pending = 0;       // the operation that the distance is for: a thread starts without a point
  OpKind kind = OpKind::kNone;
  bool counted = false;  // it was found blocked at a place, which is observed
};

constexpr GuidedThread kFresh{kFarAway, kFarAway, kFarAway};

RAVEL_LARGE_TABLE constinit ThreadTable<GuidedThread> guided_threads;
RAVEL_LARGE_TABLE constinit PrefixHash prefix_hash;

class Guided final : public Policy {
 public:
  void guide(const GuideSeat& seat) override { seat_ = seat; }

  void begin(const PolicySpec& spec) override {
    random_ = Random(spec.seed);
    by_ = spec.depth;
    preferred_ = spec.length;
    levels_count_ = spec.counts[0] == 0;
    epoch_ = spec.counts[1];
    level_ = nearest_ = 0;
    for (ThreadIndex& thread : played_by_) thread = kNoThread;
    guided_threads.forget_all();
    prefix_hash.begin();
    if (seat_.progress != nullptr) *seat_.progress = {};
  }

  [[nodiscard]] std::size_t pick(const Ready& ready) override {
    const std::size_t count = ready.operations.size();
    std::uint32_t nearest = kFarAway;
    for (const OperationView& pending : ready.operations) nearest = least(nearest, distance_of(pending));
    if (by_ == kByProperty) nearest = property_rank(nearest);
    nearest_ = nearest;
    Choice best;
    Later later;
    for (std::size_t i = 0; i < count; ++i) {
      const OperationView& pending = ready.operations[i];
      const bool observes = is_next(pending);
      const std::uint32_t distance = observes        ? later.nearest(*this, ready)
                                     : by_distance() ? distance_of(pending)
                                                     : other_rank(pending);
      const RankedChoice ranked{key_of(pending, observes), decision(), pending.thread, level_ + (observes ? 1u : 0u),
                                observes || is_drawn() ? distance : nearest};
      log(ranked);
      const bool gives_way = ready.yielded && static_cast<int>(i) == ready.current;
      Rank rank{gives_way, false, !observes, distance, random_.below(Rank::kDraws)};
      // The table of visited states is too large for the caches: only who may come first is looked up.
      if (rank.order() >= best.order) continue;
      rank.visited = is_visited(ranked.state);
      best.offer(rank.order(), i);
    }
    return best.at;
  }

  void executed(const OperationView& operation) override {
    GuidedThread& thread = known(operation.thread);
    if (is_stale(thread, operation)) look_at(thread, operation);
    if (operation.kind == OpKind::kThreadCreate) start(static_cast<ThreadIndex>(operation.value), thread.place);
    if (!thread.counted && is_next(operation)) observe(operation.thread);
    thread.counted = false;
    thread.column = kFarAway;
    prefix_hash.add(operation);
  }

  void blocked(const OperationView& operation) override {
    GuidedThread& thread = known(operation.thread);
    if (thread.counted || !is_next(operation)) return;
    thread.counted = true;
    observe(operation.thread);
  }

  // The alternatives of a data choice are as near as the state that it is made in: one entry for all of them.
  void chose(ThreadIndex thread, std::uint32_t taken) override {
    prefix_hash.add_choice(thread, taken);
    const std::uint64_t state = hash_combine(prefix_hash.present(), epoch_);
    log({key_at(state, level_), decision() - 1, kDataChoice | taken, level_, is_drawn() ? 0 : nearest_});
  }
  [[nodiscard]] bool watches_blocked() const override { return !seat_.guide.entries.empty(); }

 private:
  // The smaller the better; the first difference decides.
  struct Rank {
    static constexpr std::uint64_t kDraws = 1u << 20;
    bool gives_way = true;
    bool visited = true;
    bool not_next = true;
    std::uint32_t distance = kFarAway;
    std::uint64_t drawn = 0;  // among equals chance decides

    [[nodiscard]] std::uint64_t order() const {
      const std::uint64_t tiers =
          std::uint64_t{gives_way} << 34 | std::uint64_t{visited} << 33 | std::uint64_t{not_next} << 32 | distance;
      return tiers * kDraws + drawn;
    }
  };
  struct Choice {
    std::size_t at = 0;
    std::uint64_t order = ~std::uint64_t{0};

    void offer(std::uint64_t other, std::size_t i) {
      if (other >= order) return;
      order = other;
      at = i;
    }
  };

  // Distance of the state behind the next place, whoever passes it; computed for the first who can.
  struct Later {
    std::uint32_t distance = 0;
    bool known = false;

    std::uint32_t nearest(const Guided& guided, const Ready& ready) {
      if (!known) distance = guided.nearest_after(ready);
      known = true;
      return distance;
    }
  };

  static std::uint32_t least(std::uint32_t a, std::uint32_t b) { return a < b ? a : b; }
  static std::uint32_t sum(std::uint32_t a, std::uint32_t b) { return a > kFarAway - b ? kFarAway : a + b; }

  [[nodiscard]] bool by_distance() const { return by_ == kByDistance; }
  [[nodiscard]] bool is_drawn() const { return !by_distance() && by_ != kByProperty; }
  // `nearest`: static distance of the nearest thread to a failing place.
  [[nodiscard]] std::uint32_t property_rank(std::uint32_t nearest) const {
    const std::uint32_t distance = property_distance(seat_.guide.property, seat_.image);
    return nearest == kFarAway ? kFarthestProperty + distance : distance;
  }
  [[nodiscard]] std::uint32_t decision() const { return seat_.decisions == nullptr ? 0 : *seat_.decisions; }
  [[nodiscard]] std::uint32_t entries() const { return static_cast<std::uint32_t>(seat_.guide.entries.size()); }

  [[nodiscard]] std::uint32_t other_rank(const OperationView& pending) {
    if (by_ == kByPreferred) return pending.thread == preferred_ ? 0 : 1;
    return static_cast<std::uint32_t>(random_.below(1u << 16));
  }

  static GuidedThread& known(ThreadIndex thread) {
    GuidedThread* found = guided_threads.find(thread);
    return found != nullptr ? *found : guided_threads.store(thread, kFresh);
  }

  // Where the thread is in the user's code, and how far from the next place.
  void look_at(GuidedThread& thread, const OperationView& pending) const {
    thread.column = level_;
    thread.pending = pending.location;
    thread.kind = pending.kind;
    thread.place = 0;
    thread.distance = distance_to(level_, pending, &thread.place);
  }
  static bool is_stale(const GuidedThread& thread, const OperationView& pending) {
    return thread.column == kFarAway || thread.pending != pending.location || thread.kind != pending.kind;
  }
  [[nodiscard]] std::uint32_t distance_of(const OperationView& pending) const {
    GuidedThread& thread = known(pending.thread);
    if (thread.column != level_ || is_stale(thread, pending)) look_at(thread, pending);
    return thread.distance;
  }

  // Rungta and Mercer's distance with the call stack: what is left of each function, then from where it returns to.
  [[nodiscard]] std::uint32_t distance_to(std::uint32_t column, const OperationView& pending, LocationId* place) const {
    LocationId stack[kMostCalls + 1] = {pending.location};
    const std::uint32_t calls = seat_.calls == nullptr ? 0 : seat_.calls(pending.thread, stack + 1, kMostCalls);
    std::uint32_t nearest = kFarAway;
    std::uint32_t out = 0;
    bool found = false;
    // What a new thread is at is its creator's code.
    for (std::uint32_t i = 0; i <= calls && pending.kind != OpKind::kThreadStart; ++i) {
      const GuidePlace* at = seat_.guide.find(stack[i]);
      if (at == nullptr) continue;
      if (!found && place != nullptr) *place = at->location;
      nearest = least(nearest, sum(out, seat_.guide.distance(found ? at->return_row : at->row, column)));
      found = true;
      if (at->leaving == kFarAway) break;
      out = sum(out, at->leaving + 1);
    }
    if (!found) nearest = seat_.guide.distance(known(pending.thread).start_row, column);
    return may_serve(column, pending.thread) ? nearest : kFarAway;
  }

  // Of the state behind the next place.
  [[nodiscard]] std::uint32_t nearest_after(const Ready& ready) const {
    std::uint32_t nearest = kFarAway;
    for (const OperationView& pending : ready.operations) {
      nearest = least(nearest, distance_to(level_ + 1, pending, nullptr));
    }
    return nearest;
  }

  // Whether the thread may play the role of the entry. Who plays no role yet may become anybody.
  [[nodiscard]] bool may_serve(std::uint32_t column, ThreadIndex thread) const {
    if (column >= entries()) return true;
    const std::uint32_t role = seat_.guide.entries[column].role;
    if (role == 0 || role >= kMaxGoalRoles) return true;
    if (played_by_[role] != kNoThread) return played_by_[role] == thread;
    for (const ThreadIndex other : played_by_) {
      if (other == thread) return false;
    }
    return true;
  }

  [[nodiscard]] bool is_next(const OperationView& operation) const {
    if (level_ >= entries()) return false;
    const GoalEntry& entry = seat_.guide.entries[level_];
    if (entry.mark != 0) {
      if (operation.kind != OpKind::kMark || static_cast<std::uint32_t>(operation.value) != entry.mark) return false;
    } else if ((entry.operations & operations_of(operation.kind)) == 0) {
      return false;
    } else {
      GuidedThread& thread = known(operation.thread);
      if (is_stale(thread, operation)) look_at(thread, operation);
      if (thread.place == 0 || !seat_.guide.holds(entry, thread.place)) return false;
    }
    return may_serve(level_, operation.thread);
  }

  void observe(ThreadIndex thread) {
    const std::uint32_t role = seat_.guide.entries[level_].role;
    if (role != 0 && role < kMaxGoalRoles) played_by_[role] = thread;
    ++level_;
    if (seat_.progress != nullptr) seat_.progress->level = level_;
  }

  void start(ThreadIndex created, LocationId created_at) const {
    const GuidePlace* place = seat_.guide.find(created_at);
    GuidedThread thread = kFresh;
    if (place != nullptr) thread.start_row = place->start_row;
    guided_threads.store(created, thread);
  }

  [[nodiscard]] std::uint64_t key_of(const OperationView& pending, bool observes) const {
    return key_at(hash_combine(prefix_hash.with(pending), epoch_), level_ + (observes ? 1u : 0u));
  }
  [[nodiscard]] std::uint64_t key_at(std::uint64_t state, std::uint32_t level) const {
    const std::uint64_t key = levels_count_ ? hash_combine(state, level) : state;
    return key == 0 ? 1 : key;
  }
  [[nodiscard]] bool is_visited(std::uint64_t key) const {
    return seat_.visited != nullptr && seat_.visited->contains(key);
  }
  void log(const RankedChoice& ranked) const {
    if (seat_.progress == nullptr) return;
    ++seat_.progress->states;
    if (seat_.progress->ranked < seat_.log.size()) seat_.log[seat_.progress->ranked++] = ranked;
  }

  GuideSeat seat_{};
  Random random_{0};
  std::uint16_t by_ = kByDistance;
  std::uint16_t epoch_ = 0;
  ThreadIndex preferred_ = 0;
  bool levels_count_ = true;
  std::uint32_t level_ = 0;
  std::uint32_t nearest_ = 0;  // of the state at the last decision
  ThreadIndex played_by_[kMaxGoalRoles] = {};
};

constinit Guided guided;

}  // namespace

Policy& guided_policy() {
  return guided;
}

}  // namespace ravel
