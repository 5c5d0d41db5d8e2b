// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Ravel authors
//
// Reads-from: POS that steers towards what the plan wants reads to see (Wolff, Shi, Duck, Mathur, Roychoudhury,
// "Greybox fuzzing for concurrency testing", ASPLOS 2024). A thread before a read that would see the wrong write stands
// back; one whose read sees the right write now goes on at once; and a write that would spoil it waits until somebody
// has read. When nobody else can go on, who stands back is let go by the priorities of POS: what was wanted can no
// longer hold.
//
// Of a lock, a condition and the like every operation is a read and a write: it sees who was there last.
//
// Departures: places are those of the code, without calling contexts; whose write was last is kept for as many memory
// places as fit into a table, and a place that was pushed out counts as never written.
#include "base/large_table.h"
#include "runtime/policy/policies.h"
#include "runtime/policy/pos_order.h"
#include "semantics/effects.h"

namespace ravel {

namespace {

constexpr std::uint32_t kSlots = 1u << 12;

struct LastWrite {
  std::uint64_t place;
  std::uint32_t generation;
  LocationId location;
};
RAVEL_LARGE_TABLE constinit LastWrite last_writes[kSlots] = {};

class ReadsFromPolicy final : public Policy {
 public:
  void begin(const PolicySpec& spec) override {
    order_.begin(spec.seed);
    count_ = 0;
    for (; count_ < kMaxReadsFrom && spec.from[count_].read != 0; ++count_) {
      from_[count_] = spec.from[count_];
      done_[count_] = false;
    }
    if (++generation_ != 0) return;
    for (LastWrite& slot : last_writes) slot.generation = 0;  // once in four billion executions
    generation_ = 1;
  }

  [[nodiscard]] std::size_t pick(const Ready& ready) override {
    order_.look(ready);
    std::size_t best = 0;
    std::uint64_t best_priority = 0;
    int best_rank = -1;
    for (std::size_t i = 0; i < ready.operations.size(); ++i) {
      const bool gives_way = ready.yielded && static_cast<int>(i) == ready.current;
      const int rank = gives_way ? 0 : rank_of(ready.operations[i]);
      const std::uint64_t priority = order_.priority_of(ready.operations[i]);
      if (rank < best_rank || (rank == best_rank && priority <= best_priority)) continue;
      best = i;
      best_priority = priority;
      best_rank = rank;
    }
    order_.settle();
    return best;
  }

  void executed(const OperationView& operation) override {
    order_.executed(operation);
    for (unsigned i = 0; i < count_; ++i) done_[i] = done_[i] || from_[i].read == operation.location;
    if (!writes(operation.kind)) return;
    slot_of(operation.place) = {operation.place, generation_, operation.location};
  }

 private:
  // 0 stands back, 1 as usual, 2 goes on at once.
  [[nodiscard]] int rank_of(const OperationView& pending) const {
    int rank = 1;
    for (unsigned i = 0; i < count_; ++i) {
      const ReadsFrom& wish = from_[i];
      if (wish.read == pending.location) {
        const bool sees = last_of(pending.place) == wish.write;
        if (sees == (wish.avoid != 0)) return 0;
        if (wish.avoid == 0) rank = 2;
      } else if (!done_[i] && spoils(wish, pending)) {
        return 0;
      }
    }
    return rank;
  }

  // The write that is not to be seen; or another one, over the one that is.
  [[nodiscard]] bool spoils(const ReadsFrom& wish, const OperationView& pending) const {
    if (wish.avoid != 0) return pending.location == wish.write;
    return wish.write != 0 && writes(pending.kind) && last_of(pending.place) == wish.write;
  }

  static bool writes(OpKind kind) {
    if (!is_memory_access(kind)) return op_class(kind) == OpClass::kSync;
    return kind != OpKind::kRead && kind != OpKind::kAtomicLoad;
  }
  static LastWrite& slot_of(std::uint64_t place) { return last_writes[mix64(place) % kSlots]; }
  [[nodiscard]] LocationId last_of(std::uint64_t place) const {
    const LastWrite& slot = slot_of(place);
    return slot.generation == generation_ && slot.place == place ? slot.location : LocationId();
  }

  PosOrder order_;
  std::uint32_t generation_ = 0;
  unsigned count_ = 0;
  ReadsFrom from_[kMaxReadsFrom] = {};
  bool done_[kMaxReadsFrom] = {};  // some thread has read there
};

constinit ReadsFromPolicy reads_from;

}  // namespace

Policy& reads_from_policy() {
  return reads_from;
}

}  // namespace ravel
