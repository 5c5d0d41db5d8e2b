// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Ravel authors
//
// dpor: every behaviour once. Two schedules that differ only in the order of independent neighbours are one
// Mazurkiewicz trace; this search runs one schedule of each, and none redundant (optimal dynamic partial order
// reduction; reversal.h has the paper and the departures).
//
// A turn: a waiting branch of the tree becomes the prefix, behind it run-on decides. What was executed becomes a path
// of the tree, its reversals become branches, and the nearest waiting branch comes next. A branch is entered only if
// nothing asleep could begin it, so behind its end nothing is asleep and any continuation will do.
//
// Several processes: one tree, changed by whoever has the lock, from can_learn() over learn() and the engine's commit
// to next(), which takes the next branch. Executions run without it. A process that is killed keeps its lock and its
// branch; the one in its place undoes the step unless the engine had committed it, and goes on.
//
// first=wide: every second of the first executions takes the branch nearest to the root. One process only.
//
// sets=source: source sets instead of wake-up trees. Behaviours are still counted once, but some executions find that
// all that could go on is asleep; they are counted as blocked. One process only.
//
// Memory: the paths being run, their branches and one execution. All of it in shared memory; a killed worker's step is
// undone by the journal.
#include <atomic>
#include <bit>

#include "explore/common_search.h"
#include "explore/estimate.h"
#include "explore/make_strategy.h"
#include "explore/reversal.h"
#include "explore/sampling.h"
#include "explore/schedule_tree.h"
#include "explore/steps.h"
#include "explore/strategies.h"

namespace ravel {
namespace {

constexpr std::uint32_t kJournalEntries = 1u << 20;
constexpr std::uint64_t kFirstWide = 2;
constexpr std::uint64_t kWide = 128;  // executions of which every second takes the branch nearest to the root

template <class T>
T* room(std::pmr::memory_resource& memory, std::size_t count) {
  return static_cast<T*>(memory.allocate(sizeof(T) * count, alignof(T)));
}

class Dpor final : public Strategy, public Observer, public SharedSearch {
 public:
  // `common` is the memory of a search that is shared, else the same as `memory`.
  Dpor(std::pmr::memory_resource& memory, std::pmr::memory_resource& common, const SearchMemory& search,
       Reversals::Sets sets, bool wide)
      : wide_(wide),
        job_(search.job),
        left_(search.left),
        common_(room<CommonSearch>(common, 1)),
        journal_(memory, kJournalEntries),
        steps_(memory, StepOrder::kDependence, search.is_shared() ? &common : nullptr),
        tree_(common, memory, journal_, !search.is_shared()),
        reversals_(memory, steps_, tree_, sets),
        path_(room<NodeId>(memory, Steps::kMaxSteps + 2)),
        indices_(room<ThreadIndex>(memory, ThreadNames::kMost)) {
    if (!search.is_shared()) new (common_) CommonSearch;
  }

  bool can_plan() override {
    const bool waits = current_ == 0 && common_->is_at(restarts_) && !tree_.is_done() && may_begin();
    if (waits && tree_.is_quiet()) {
      leave();
      return false;
    }
    if (!common_->lock.try_take(job_)) return false;
    if (current_ != 0 || !common_->is_at(restarts_) || tree_.is_done() || !may_begin() || take_branch()) return true;
    leave();
    return false;
  }

  bool next(PlanWriter& plan) override {
    const bool ready = can_plan();
    INVARIANT(ready, "can_plan() said so");
    const bool stale = !common_->is_at(restarts_);
    const bool more = current_ != 0 || stale;
    plan.spec.policy = PolicySpec{};
    plan.spec.prefix_kind = PrefixKind::kSteps;
    plan.spec.record_steps = 1;
    // Of an earlier search: any execution will do, learn() throws it away and finds out what the search is now.
    plan.spec.prefix_segments = stale || current_ == 0 ? 0 : write_prefix(plan);
    leave();
    return more;
  }

  void begin(const TraceView& trace) override {
    analysed_ = Analysed::kNo;
    steps_.begin(trace);
  }
  // Of plain accesses only those that are points are steps.
  [[nodiscard]] Wants wants() const override { return kWantsClasses | kWantsKnown; }
  void on_event(const Event& event, const Moment& at) override { steps_.add(event, at.operand); }

  // What needs nobody else is done before the lock is asked for. An execution that makes the search start over need not
  // be one of its own.
  bool can_learn(const Execution& execution) override {
    if (analysed_ == Analysed::kNo && !execution.points_grew) analyse(execution);
    return common_->lock.try_take(job_);
  }

  void leave() override {
    if (!common_->lock.is_held_by(job_)) return;
    near_ = 0;
    common_->lock.release();
  }

  [[nodiscard]] RestartByOthers restart_by_others() const override {
    if (common_->is_at(restarts_)) return {};
    return {true, std::span<const LocationId>(common_->point_list, common_->points)};
  }

  Share learn(const Execution& execution) override {
    const bool ready = can_learn(execution);
    INVARIANT(ready, "can_learn() said so");
    journal_.begin();
    tree_.begin_step();
    redundant_ = again_ = false;
    began_again_ = false;
    if (wide_ && choices_ == 0 && analysed_ == Analysed::kYes && has_choices()) {
      journal_.set(choices_, std::uint8_t{1});
      began_again_ = common_->counted > kFirstWide;
    }
    if (!common_->is_at(restarts_) || execution.points_grew || began_again_) {
      if (common_->is_at(restarts_)) {
        tree_.reset();
        common_->restart(journal_, execution.points);
      }
      journal_.set(restarts_, common_->restarts);
      journal_.set(near_, NodeId{0});
      journal_.set(deep_, NodeId{0});
      journal_.set(first_run_, std::uint64_t{0});
    } else {
      const bool went_wide = goes_wide();
      take_in(execution);
      if (!redundant_) journal_.set(common_->counted, common_->counted + 1);
      if (!again_) journal_.set(near_, tree_.finish(path_[length_]));
      if (wide_ && !again_) journal_.set(deep_, went_wide && deep_ != 0 ? tree_.lowest_kept(deep_) : near_);
    }
    if (!again_) journal_.set(current_, NodeId{0});
    tree_.give_back();
    journal_.commit();
    analysed_ = Analysed::kNo;
    return redundant_ ? Share::kRedundant : Share::kCounts;
  }

  // The lock stays with whoever was killed with it: next() or leave() will let go.
  void recover(std::uint64_t learned) override {
    journal_.recover(learned);
    if (common_->lock.is_held_by(job_) && current_ != 0) tree_.begin(current_);
  }

  [[nodiscard]] bool began_again() const override { return began_again_; }

  [[nodiscard]] SearchVerdict verdict(std::uint64_t counted) const override {
    const bool complete = tree_.is_done() && common_->is_at(restarts_) && common_->sound();
    return {.complete = complete,
            .kept = complete,
            .note = note(),
            .estimate = estimate(counted),
            .unmodelled = common_->unmodelled};
  }

 private:
  enum class Analysed : std::uint8_t { kNo, kNoTrace, kTooBig, kYes };

  // Branches that nobody has found yet are not in it: the number grows. What others have done of branches that they are
  // still at is not in it either. As of the last execution.
  [[nodiscard]] Estimate estimate(std::uint64_t counted) const {
    if (tree_.is_done()) return {common_->counted, common_->counted, common_->counted};
    if (near_ == 0) return {};
    SubtreeEstimate tree(common_->counted, Grows::kYes);
    NodeId below = 0;
    for (NodeId id = near_; id != 0; below = id, id = tree_[id].parent) {
      std::uint32_t done = 0;
      std::uint32_t left = 0;
      for (NodeId child = tree_[id].child; child != 0; child = tree_[child].next) {
        if (child != below) ++(tree_[child].state == ScheduleTree::State::kDone ? done : left);
      }
      if (below == 0) {
        tree.lowest(done, left);
      } else {
        tree.above(done, left);
      }
    }
    return tree.total(0, counted > common_->counted ? counted : common_->counted);
  }

  [[nodiscard]] std::string_view note() const {
    if (common_->diverged != 0) return "two runs of the same plan differed: the program is not deterministic";
    if (common_->unmodelled.kind != OpKind::kNone) return note_on(common_->unmodelled);
    if (common_->too_big != 0) return "some executions are too long for the search";
    if (common_->cut != 0) return "some executions were cut before their end";
    return {};
  }

  // Or may have: whom a signal wakes is one.
  [[nodiscard]] bool has_choices() const {
    for (std::uint32_t i = 0; i < steps_.count(); ++i) {
      if (!steps_[i].listed) continue;
      if (steps_[i].act.choice != kNoChoice || steps_[i].act.op.kind == OpKind::kCondSignal) return true;
    }
    return false;
  }

  [[nodiscard]] bool may_begin() const { return left_ == nullptr || left_->load(std::memory_order_relaxed) != 0; }

  // Orders early in an execution count as much as late ones, but the nearest branch is a late one. Only at first: what
  // was begun and is not done takes memory. Not with choices of data: a branch that was entered before its choices were
  // known would be run twice.
  [[nodiscard]] bool goes_wide() const {
    return wide_ && choices_ == 0 && common_->counted < kWide && common_->counted % 2 == kFirstWide % 2;
  }

  // One store decides; what comes behind it is done again by recover(). A kill before it loses an execution of the
  // budget.
  bool take_branch() {
    NodeId branch = goes_wide() ? 0 : tree_.waiting_near(wide_ ? deep_ : near_);
    if (branch == 0) branch = tree_.waiting_anywhere();
    if (branch == 0) {
      tree_.be_quiet();
      return false;
    }
    INVARIANT(tree_[branch].state == ScheduleTree::State::kWaiting, "a branch is run once");
    if (left_ != nullptr) left_->fetch_sub(1, std::memory_order_relaxed);
    std::atomic_signal_fence(std::memory_order_seq_cst);
    current_ = tree_.end_of(branch);
    std::atomic_signal_fence(std::memory_order_seq_cst);
    tree_.begin(current_);
    return true;
  }

  // path_[0], the root, to path_[n], the end of the branch in hand.
  std::uint32_t find_path() {
    std::uint32_t n = 0;
    for (NodeId id = tree_[current_].parent; id != 0; id = tree_[id].parent) ++n;
    NodeId id = current_;
    for (std::uint32_t i = n + 1; i-- > 0; id = tree_[id].parent) path_[i] = id;
    return n;
  }

  std::uint32_t write_prefix(PlanWriter& plan) {
    std::uint32_t segments = 0;
    const auto put = [&](std::uint32_t choice) {
      if (segments != 0 && plan.prefix[segments - 1].thread == choice) {
        ++plan.prefix[segments - 1].count;
      } else {
        plan.prefix[segments++] = {choice, 1};
      }
    };
    ThreadIndex created = 0;
    const std::uint32_t length = find_path();
    for (std::uint32_t i = 1; i <= length; ++i) {
      const ScheduleTree::Node& node = tree_[path_[i]];
      const Act& act = node.act;
      put(index_of(node, created));
      if (act.choice != kNoChoice) put(kDataChoice | act.choice);
      if (act.op.kind == OpKind::kThreadCreate && act.op.value < ThreadNames::kMost) {
        indices_[act.op.value] = ++created;
      }
    }
    return segments;
  }

  // Threads created on the path are numbered in that order; of others the number is remembered.
  [[nodiscard]] ThreadIndex index_of(const ScheduleTree::Node& node, ThreadIndex created) const {
    const std::uint32_t name = node.act.op.thread;
    if (created == 0 || name >= ThreadNames::kMost) return node.thread;
    const ThreadIndex index = indices_[name];
    return index != 0 && index <= created ? index : node.thread;
  }

  void raise(std::uint8_t& flag) {
    if (flag == 0) journal_.set(flag, std::uint8_t{1});
  }

  void analyse(const Execution& execution) {
    const OutcomeKind outcome = execution.result.outcome;
    analysed_ = Analysed::kNoTrace;
    if (!ran_to_its_end(outcome) && outcome != OutcomeKind::kStepLimit && outcome != OutcomeKind::kCut &&
        outcome != OutcomeKind::kHang) {
      return;
    }
    const bool fits =
        execution.result.decisions <= execution.decisions.size() && steps_.finish(execution.trace, execution.decisions);
    analysed_ = fits ? Analysed::kYes : Analysed::kTooBig;
  }

  void raise(const Unmodelled& what) {
    if (common_->unmodelled.kind == OpKind::kNone) journal_.set(common_->unmodelled, what);
  }

  // The execution becomes a path, and what follows from it is entered.
  void take_in(const Execution& execution) {
    const OutcomeKind outcome = execution.result.outcome;
    const std::uint32_t planned = find_path();
    length_ = planned;
    if (outcome == OutcomeKind::kDiverged || (analysed_ == Analysed::kYes && followed(planned) < planned)) {
      return take_misfit(execution, planned);
    }
    journal_.set(first_run_, std::uint64_t{0});
    if (!ran_to_its_end(outcome)) raise(common_->cut);
    if (analysed_ == Analysed::kTooBig) raise(common_->too_big);
    // Otherwise nothing can be learned from this execution: the path is the prefix alone.
    if (analysed_ != Analysed::kYes || !adopt(planned)) return;
    if (steps_.unmodelled().kind != OpKind::kNone) raise(steps_.unmodelled());
    if (std::has_single_bit(common_->counted + 1)) {
      if (const Unmodelled wrong = reversals_.disagreement(); wrong.kind != OpKind::kNone) raise(wrong);
    }
    if (!reversals_.enter_all(path_, length_)) raise(common_->too_big);
    if (reversals_.left_out().kind != OpKind::kNone) raise(reversals_.left_out());
    if (reversals_.awake() < length_) {
      redundant_ = true;
      length_ = reversals_.awake() + 1;
    }
  }

  // How many steps of the plan were run as they were meant.
  [[nodiscard]] std::uint32_t followed(std::uint32_t planned) const {
    std::uint32_t length = 0;
    for (std::uint32_t i = 0; i < steps_.count() && length < planned; ++i) {
      if (!steps_[i].listed) continue;
      const ScheduleTree::Node& node = tree_[path_[length + 1]];
      const Act& meant = node.act;
      if (meant.op.thread != steps_[i].act.op.thread) break;
      // An open act may turn out to have a choice: any one will do, the others are entered behind it.
      const bool any_choice = node.open && meant.choice == kNoChoice;
      if (analysed_ == Analysed::kYes && !any_choice && meant.choice != steps_[i].act.choice) break;
      ++length;
    }
    return length;
  }

  // A guess that failed is withdrawn. Anything else is run once more: two runs that differ are the program's fault, two
  // that are the same are ours.
  void take_misfit(const Execution& execution, std::uint32_t planned) {
    const std::uint32_t good = followed(planned);
    const NodeId node = path_[good < planned ? good + 1 : planned];
    redundant_ = true;
    if (tree_[node].guess && node == path_[planned]) {
      tree_.withdraw(node);
      return;
    }
    const std::uint64_t run = execution.result.fingerprint | 1;
    if (first_run_ == 0) {
      again_ = true;
      journal_.set(first_run_, run);
      return;
    }
    if (first_run_ != run) {
      raise(common_->diverged);
    } else {
      raise(Unmodelled{tree_[node].act.op.kind, tree_[node].act.op.location});
    }
    journal_.set(first_run_, std::uint64_t{0});
  }

  bool adopt(std::uint32_t planned) {
    length_ = 0;
    for (std::uint32_t i = 0; i < steps_.count(); ++i) {
      const Step& step = steps_[i];
      if (!step.listed) continue;
      if (length_ < planned) {
        const NodeId child = path_[length_ + 1];
        if (!tree_[child].open && came_out_otherwise(tree_[child].act, step.act)) {
          raise(Unmodelled{step.act.op.kind, step.act.op.location});
        }
        tree_.update(child, step.act, step.keys.mask, step.column);
        tree_.confirm(child);
      } else {
        const NodeId child =
            tree_.append(path_[length_], step.act, step.keys.mask, step.column, ScheduleTree::State::kBegun);
        if (child == 0) {
          raise(common_->too_big);
          return false;
        }
        path_[length_ + 1] = child;
      }
      ++length_;
    }
    return true;
  }

  std::string_view note_on(const Unmodelled& what) const {
    std::size_t used = 0;
    const auto put = [&](std::string_view text) {
      for (const char c : text) note_[used++] = c;
    };
    put("the search cannot reason about ");
    put(op_name(what.kind));
    return {note_, used};
  }

  bool wide_;
  std::uint32_t job_;
  std::atomic<std::uint64_t>* left_;  // executions that may be begun; null: the engine counts them
  CommonSearch* common_;
  Journal journal_;
  Steps steps_;
  ScheduleTree tree_;
  Reversals reversals_;
  NodeId* path_;          // scratch: nodes before each listed step, and the last
  ThreadIndex* indices_;  // scratch: of threads created on the path
  std::uint32_t length_ = 0;
  Analysed analysed_ = Analysed::kNo;
  bool redundant_ = false;       // the last execution
  bool again_ = false;           // it did not fit and is run once more
  bool began_again_ = false;     // it showed that the search must go another way
  std::uint64_t first_run_ = 0;  // fingerprint of the one that did not fit
  mutable char note_[96] = {};
  std::uint8_t choices_ = 0;    // the program has choices of data, so the search goes to the nearest branch
  std::uint64_t restarts_ = 0;  // the search that this process is at
  NodeId current_ = 0;          // end of the branch in hand
  NodeId deep_ = 0;             // wide first: where the last one that went to the nearest branch left something
  NodeId near_ = 0;             // where the last execution left something; known as long as the lock is held
};

}  // namespace

StrategyParts create_dpor(std::pmr::memory_resource& memory, const StrategyOptions& options, std::string_view& error) {
  const bool source = options.parameters["sets"] != 0;
  if (source && options.search.is_shared()) {
    error = "sets=source is searched by one process";
    return {};
  }
  const bool wide = options.parameters["first"] != 0;
  if (wide && options.search.is_shared()) {
    error = "first=wide is searched by one process";
    return {};
  }
  const Reversals::Sets sets = source ? Reversals::Sets::kSource : Reversals::Sets::kOptimal;
  if (!options.search.is_shared()) return make_strategy<Dpor>(memory, memory, memory, SearchMemory{}, sets, wide);
  CommonMemory common(options.search.memory);
  return make_strategy<Dpor>(memory, memory, common, options.search, sets, false);
}

}  // namespace ravel
