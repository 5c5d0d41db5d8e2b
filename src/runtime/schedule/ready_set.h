// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Ravel authors
//
// The threads in order of creation: all that live, and those that could run with what they are about to do. The second
// list is kept from point to point; whatever may change what another thread can do makes it stale. Locking and
// unlocking a mutex change what those can do that wait for it: then the others are not asked again.
//
// Invariants: while the list is not stale, thread.ready_at is the position of a thread that is on it, and every entry
// is a live thread; the running thread's operation may be newer than its entry.
#pragma once

#include <cstdint>
#include <span>

#include "model/plan.h"
#include "runtime/state/state.h"
#include "semantics/operation_view.h"

namespace ravel::rt {

inline OperationView view_of(const VirtualThread& thread) {
  const Pending& p = thread.pending;
  return {p.kind, p.bits, p.size, thread.index, p.address, p.value, p.location};
}

// Field by field: a copy made as a whole would be read in larger pieces than it was just written in, and wait for that.
inline void put_view(OperationView& to, const VirtualThread& thread) {
  const Pending& p = thread.pending;
  to.kind = p.kind;
  to.bits = p.bits;
  to.size = p.size;
  to.thread = thread.index;
  to.place = p.address;
  to.value = p.value;
  to.location = p.location;
}

class ReadySet {
 public:
  ReadySet() = default;
  ReadySet(const ReadySet&) = delete;  // it points into itself
  ReadySet& operator=(const ReadySet&) = delete;

  // A thread that can run from now on; one that never runs again.
  void add(VirtualThread& thread);
  void remove(VirtualThread& thread);
  [[nodiscard]] std::span<VirtualThread* const> live() const { return {live_, live_count_}; }
  // For who looks on from another process.
  [[nodiscard]] VirtualThread** const& live_list() const { return live_; }
  [[nodiscard]] const std::uint32_t& live_size() const { return live_count_; }

  void make_stale() { stale_ = Stale::kAll; }
  // Only the running thread may be listed wrongly: it waits, or does not wait any more.
  void make_own_stale() {
    if (stale_ == Stale::kNothing) stale_ = Stale::kMutex;
  }
  // Only the running thread and those that wait for this mutex, which is neither recursive nor robust.
  void make_stale_by(std::uintptr_t mutex) {
    const bool another = stale_ != Stale::kNothing && mutex_ != 0 && mutex_ != mutex;
    stale_ = another || stale_ == Stale::kAll ? Stale::kAll : Stale::kMutex;
    mutex_ = mutex;
  }
  // Asks every thread's predicate.
  void rebuild();
  // As a rule the list is right, but for what the running thread is about to do: the others stand still.
  void refresh(VirtualThread& running) {
    if (is_right_for(running)) {
      update(running);
    } else if (stale_ == Stale::kMutex && spinning_ == 0 && !may_give_up_) {
      relist(running);
    } else {
      rebuild();
    }
  }
  [[nodiscard]] bool is_right_for(const VirtualThread& running) const {
    return stale_ == Stale::kNothing && spinning_ == 0 && lists(running);
  }
  // The running thread, which is on the list, is about to do something else.
  void update(const VirtualThread& running) {
    if (shows_operations) put_view(views_[running.ready_at], running);
  }
  // False: the policy needs only the number of operations(), not what they are.
  bool shows_operations = true;

  [[nodiscard]] bool lists(const VirtualThread& thread) const {
    return thread.ready_at < count_ && ready_[thread.ready_at] == &thread;
  }
  [[nodiscard]] std::uint32_t count() const { return count_; }
  [[nodiscard]] VirtualThread& operator[](std::uint32_t at) const { return *ready_[at]; }
  [[nodiscard]] std::span<const OperationView> operations() const { return {views_, count_}; }

  // Where the list stands in SharedBlock::enabled, written at the first decision that needs it.
  std::uint32_t listed_at = kNotListed;
  std::uint32_t log();

 private:
  // Few threads, as a rule: then they are together on one page.
  static constexpr std::uint32_t kFew = 32;
  struct FewThreads {
    VirtualThread* live[kFew];
    VirtualThread* ready[kFew];
    OperationView views[kFew];
  };
  // What may be wrong in the list.
  enum class Stale : std::uint8_t {
    kNothing,
    kMutex,  // the running thread, and who waits for `mutex_`, if there is one
    kAll,
  };
  void move_to_large_tables();
  void list(VirtualThread& thread);
  void relist(VirtualThread& running);
  void list_with_who_gives_up(std::uint32_t really);

  Stale stale_ = Stale::kAll;
  bool may_give_up_ = false;  // somebody's wait may end in another way than by its predicate
  std::uint32_t count_ = 0;
  std::uint32_t spinning_ = 0;  // threads waiting for a value to change: their predicates watch plain memory
  std::uint32_t live_count_ = 0;
  std::uintptr_t mutex_ = 0;
  VirtualThread** ready_ = few_.ready;
  OperationView* views_ = few_.views;
  VirtualThread** live_ = few_.live;
  FewThreads few_ = {};
};

}  // namespace ravel::rt
