// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Ravel authors
//
// Sliced: some threads are interleaved, at the places of a slice; the others run, one after the other, only when nobody
// of these can go on (Noonan, "Slice-N-Dice algorithm implementation in JPF", BYU 2014). Before that the threads that
// create those of the slice run until they exist. The alternatives of a real choice are logged with the state in which
// it stands; a state that the search has been in ends the search of this execution, which runs on as it comes.
//
// Without a slice (kSliceWhole) every thread and every point counts: what dfs with state matching needs.
//
// A target is reached when as many threads as there are targets stand at them, one at each, before the operation.
//
// Departure: the paper waits with outside threads until all inside have ended; a thread that waits for an outside one
// would deadlock.
#include "base/large_table.h"
#include "base/random.h"
#include "model/guide.h"
#include "model/policy_depth.h"
#include "runtime/policy/goal_operations.h"
#include "runtime/policy/policies.h"
#include "runtime/policy/prefix_hash.h"
#include "runtime/policy/slice_watch.h"

namespace ravel {

namespace {

constexpr std::uint32_t kMostTargets = 8;

// All zero is a thread that nothing is known of.
struct SlicedThread {
  ThreadName name = 0;
  std::uint32_t children = 0;
  std::uint32_t entry = 0;         // of Guide::slice, from 1; 0: outside, and creates nobody who is inside
  std::uint32_t line = 0;          // of the pending operation, if it is in the slice
  std::uint32_t last_line = 0;     // of the operation before
  LocationId last_location = 0;    // ... where
  std::uint64_t started_with = 0;  // 0: unknown, so like nobody else
  std::uint32_t targets = 0;       // bits: that it stands at
  std::uint32_t operations = 0;
  bool spins = false;  // it yielded, and nobody has done anything since
};

RAVEL_LARGE_TABLE constinit ThreadTable<SlicedThread> sliced_threads;
RAVEL_LARGE_TABLE constinit PrefixHash sliced_hash;
RAVEL_LARGE_TABLE constinit SliceWatch slice_watch;

class Sliced final : public Policy {
 public:
  void guide(const GuideSeat& seat) override { seat_ = seat; }

  void begin(const PolicySpec& spec) override {
    random_ = Random(spec.seed);
    bits_ = spec.depth;
    epoch_ = spec.counts[1];
    redundant_ = false;
    sliced_threads.forget_all();
    sliced_hash.begin();
    if (seat_.progress != nullptr) *seat_.progress = {};
    missing_ = 0;
    for (std::uint32_t i = 0; i < seat_.guide.slice.size() && i < kMaxSliceThreads; ++i) waiting_[i] = 0;
    for (std::uint32_t i = 0; i < seat_.guide.slice.size() && i < kMaxSliceThreads; ++i) {
      if (seat_.guide.slice[i].inside != 0) count_missing(i, 1);
    }
    slice_watch.begin(whole() ? nullptr : seat_.seen);
    enter(0, kMainThread, kNoSliceThread, 0);
  }

  [[nodiscard]] std::size_t pick(const Ready& ready) override {
    note_spinning(ready);
    note_fresh(ready);
    if (const std::size_t creator = creator_to_run(ready); creator < ready.operations.size()) return creator;
    std::size_t first = ready.operations.size();
    std::size_t count = 0;
    for (std::size_t i = 0; i < ready.operations.size(); ++i) {
      if (!is_candidate(ready, i)) continue;
      if (count++ == 0) first = i;
    }
    if (count == 0) return outsider(ready);
    const std::size_t current = static_cast<std::size_t>(ready.current);
    const bool goes_on = ready.current >= 0 && is_candidate(ready, current);
    if (goes_on && !stands_at_choice(ready.operations[current])) return current;
    const std::size_t plain = goes_on ? current : first;
    if (count == 1 || redundant_) return plain;
    return choose(ready, plain);
  }

  void arrived(const OperationView& operation) override {
    if (whole()) return;
    SlicedThread& thread = known(operation.thread);
    const GuidePlace* place = place_of(operation);
    thread.line = place == nullptr ? 0 : seat_.guide.line_of(*place);
    thread.targets = targets_at(operation, place);
    if (thread.targets != 0) count_targets();
  }

  void executed(const OperationView& operation) override {
    SlicedThread& thread = known(operation.thread);
    if (!whole()) watch(thread, operation);
    thread.last_line = thread.line;
    thread.last_location = operation.location;
    thread.line = 0;
    thread.targets = 0;
    if (operation.kind != OpKind::kThreadStart) ++thread.operations;
    if (operation.kind == OpKind::kThreadCreate) {
      const GuidePlace* place = whole() ? nullptr : place_of(operation);
      const ThreadName child = child_name(thread.name, thread.children++);
      const std::uint32_t creator = slice_watch.index_of(thread.name);
      enter(static_cast<ThreadIndex>(operation.value), child, creator,
            place == nullptr ? LocationId{0} : place->location);
    }
    sliced_hash.add(operation);
    if (!sliced_hash.is_exact() && seat_.progress != nullptr) seat_.progress->inexact = 1;
  }

  void chose(ThreadIndex thread, std::uint32_t taken) override { sliced_hash.add_choice(thread, taken); }
  [[nodiscard]] bool watches_blocked() const override { return true; }

 private:
  [[nodiscard]] std::uint32_t decision() const { return seat_.decisions == nullptr ? 0 : *seat_.decisions; }
  [[nodiscard]] bool whole() const { return (bits_ & kSliceWhole) != 0; }

  static SlicedThread& known(ThreadIndex thread) {
    SlicedThread* found = sliced_threads.find(thread);
    return found != nullptr ? *found : sliced_threads.store(thread, {});
  }

  // A thread that begins.
  void enter(ThreadIndex index, ThreadName name, std::uint32_t creator, LocationId created_at) {
    SlicedThread thread;
    thread.name = name;
    for (std::uint32_t i = 0; i < seat_.guide.slice.size() && i < kMaxSliceThreads; ++i) {
      if (seat_.guide.slice[i].name() == name) thread.entry = i + 1;
    }
    if (thread.entry != 0 && is_inside(thread)) count_missing(thread.entry - 1, ~0u);
    sliced_threads.store(index, thread);
    slice_watch.enter(name, creator, created_at);
  }

  // One more (or less) is to be created by it and by those that create it.
  void count_missing(std::uint32_t entry, std::uint32_t change) {
    missing_ += change;
    std::uint32_t at = seat_.guide.slice[entry].creator;
    for (std::uint32_t n = 0; at < kMaxSliceThreads && at < seat_.guide.slice.size() && n < kMaxSliceThreads; ++n) {
      waiting_[at] += change;
      at = seat_.guide.slice[at].creator;
    }
  }

  [[nodiscard]] bool is_inside(const SlicedThread& thread) const {
    return whole() || (thread.entry != 0 && seat_.guide.slice[thread.entry - 1].inside != 0);
  }

  // Once somebody does something, those who spin may see it.
  static void note_spinning(const Ready& ready) {
    if (ready.current < 0) return;
    if (ready.yielded) {
      known(ready.operations[static_cast<std::size_t>(ready.current)].thread).spins = true;
      return;
    }
    for (const OperationView& pending : ready.operations) known(pending.thread).spins = false;
  }

  // Before they run: their arguments are as they were given.
  void note_fresh(const Ready& ready) const {
    if ((bits_ & kSliceSymmetry) == 0 || seat_.started_with == nullptr) return;
    for (const OperationView& pending : ready.operations) {
      SlicedThread& thread = known(pending.thread);
      if (pending.kind == OpKind::kThreadStart && thread.started_with == 0) {
        thread.started_with = seat_.started_with(pending.thread);
      }
    }
  }

  // An outside thread that has to create one of the slice; behind the last index: none.
  [[nodiscard]] std::size_t creator_to_run(const Ready& ready) const {
    const std::size_t none = ready.operations.size();
    if (whole() || missing_ == 0) return none;
    std::size_t found = none;
    for (std::size_t i = 0; i < ready.operations.size(); ++i) {
      const SlicedThread& thread = known(ready.operations[i].thread);
      if (thread.entry == 0 || is_inside(thread) || waiting_[thread.entry - 1] == 0 || thread.spins) continue;
      if (found == none || static_cast<int>(i) == ready.current) found = i;
    }
    return found;
  }

  [[nodiscard]] bool is_candidate(const Ready& ready, std::size_t i) const {
    const SlicedThread& thread = known(ready.operations[i].thread);
    if (!is_inside(thread) || thread.spins) return false;
    if ((bits_ & kSliceSymmetry) == 0 || thread.operations != 0) return true;
    for (std::size_t j = 0; j < i; ++j) {
      if (is_alike(known(ready.operations[j].thread), thread)) return false;
    }
    return true;
  }

  // Neither has done anything, and nothing but their names tells them apart.
  [[nodiscard]] bool is_alike(const SlicedThread& other, const SlicedThread& fresh) const {
    return is_inside(other) && other.operations == 0 && fresh.started_with != 0 &&
           other.started_with == fresh.started_with;
  }

  // Nobody of the slice can go on.
  [[nodiscard]] std::size_t outsider(const Ready& ready) const {
    std::size_t found = ready.operations.size();
    for (std::size_t i = 0; i < ready.operations.size(); ++i) {
      const SlicedThread& thread = known(ready.operations[i].thread);
      if (is_inside(thread) || thread.spins) continue;
      if (found == ready.operations.size() || static_cast<int>(i) == ready.current) found = i;
    }
    if (found != ready.operations.size()) return found;
    // Everybody spins: in turn.
    return ready.current >= 0 ? (static_cast<std::size_t>(ready.current) + 1) % ready.operations.size() : 0;
  }

  [[nodiscard]] bool stands_at_choice(const OperationView& pending) const {
    if (whole()) return true;
    const SlicedThread& thread = known(pending.thread);
    if (thread.line == 0) return false;
    if ((bits_ & kSliceLines) == 0) return true;
    return thread.line != thread.last_line || pending.location <= thread.last_location;
  }

  std::size_t choose(const Ready& ready, std::size_t plain) {
    std::uint64_t key = hash_combine(sliced_hash.present(), epoch_);
    if (key == 0) key = 1;
    if (seat_.visited != nullptr && seat_.visited->contains(key)) {
      redundant_ = true;
      if (seat_.progress != nullptr) seat_.progress->known_from = decision();
      return plain;
    }
    std::uint64_t count = 0;
    std::size_t taken = plain;
    for (std::size_t i = 0; i < ready.operations.size(); ++i) {
      if (!is_candidate(ready, i)) continue;
      log({key, decision(), ready.operations[i].thread, 0, 0});
      if ((bits_ & kSliceRandom) != 0 && random_.below(++count) == 0) taken = i;
    }
    if (seat_.progress != nullptr) ++seat_.progress->states;
    return taken;
  }

  void log(const RankedChoice& ranked) const {
    if (seat_.progress == nullptr) return;
    if (seat_.progress->ranked < seat_.log.size()) seat_.log[seat_.progress->ranked++] = ranked;
  }

  // Where the operation is in the user's code.
  [[nodiscard]] const GuidePlace* place_of(const OperationView& operation) const {
    if (operation.kind == OpKind::kThreadStart) return nullptr;
    if (const GuidePlace* place = seat_.guide.find(operation.location)) return place;
    LocationId stack[SliceWatch::kMostCalls];
    const std::uint32_t calls =
        seat_.calls == nullptr ? 0 : seat_.calls(operation.thread, stack, SliceWatch::kMostCalls);
    for (std::uint32_t i = 0; i < calls; ++i) {
      if (const GuidePlace* place = seat_.guide.find(stack[i])) return place;
    }
    return nullptr;
  }

  void watch(const SlicedThread& thread, const OperationView& operation) const {
    LocationId stack[SliceWatch::kMostCalls + 1] = {operation.location};
    const std::uint32_t calls =
        seat_.calls == nullptr ? 0 : seat_.calls(operation.thread, stack + 1, SliceWatch::kMostCalls);
    const bool begins = operation.kind == OpKind::kThreadStart;
    slice_watch.executed(thread.name, operation, seat_.guide, {stack, begins ? 0 : calls + 1});
  }

  [[nodiscard]] std::uint32_t targets_at(const OperationView& operation, const GuidePlace* place) const {
    std::uint32_t bits = 0;
    for (std::uint32_t i = 0; i < seat_.guide.entries.size() && i < kMostTargets; ++i) {
      const GoalEntry& entry = seat_.guide.entries[i];
      const bool here =
          entry.mark != 0 ? operation.kind == OpKind::kMark && static_cast<std::uint32_t>(operation.value) == entry.mark
                          : place != nullptr && (entry.operations & operations_of(operation.kind)) != 0 &&
                                seat_.guide.holds(entry, place->location);
      if (here) bits |= 1u << i;
    }
    return bits;
  }

  // The most targets that have a thread of their own.
  void count_targets() {
    if (seat_.progress == nullptr) return;
    const auto targets = static_cast<std::uint32_t>(seat_.guide.entries.size());
    const std::uint32_t most = assign(0, targets < kMostTargets ? targets : kMostTargets, 0);
    if (most > seat_.progress->level) seat_.progress->level = most;
  }
  [[nodiscard]] std::uint32_t assign(std::uint32_t target, std::uint32_t targets, std::uint64_t used) const {
    if (target == targets) return 0;
    std::uint32_t best = assign(target + 1, targets, used);
    for (std::uint32_t i = 0; i < kMaxSliceThreads; ++i) {
      const SlicedThread* thread = sliced_threads.find(static_cast<ThreadIndex>(i));
      if (thread == nullptr || (used >> i & 1) != 0 || (thread->targets >> target & 1) == 0) continue;
      const std::uint32_t with = 1 + assign(target + 1, targets, used | std::uint64_t{1} << i);
      if (with > best) best = with;
    }
    return best;
  }

  GuideSeat seat_{};
  Random random_{0};
  std::uint16_t bits_ = 0;
  std::uint16_t epoch_ = 0;
  bool redundant_ = false;                        // a state that the search has been in was met
  std::uint32_t missing_ = 0;                     // threads of the slice that do not exist yet
  std::uint32_t waiting_[kMaxSliceThreads] = {};  // ... of each that creates them
};

constinit Sliced sliced;

}  // namespace

Policy& sliced_policy() {
  return sliced;
}

}  // namespace ravel
