// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Ravel authors
//
// Locks that are held for certain at an instruction, by forward data flow through the whole program. Two ways to know a
// lock:
//  - by its cell, when the cell is one lock: a global, or memory that is allocated once, not an element of an array;
//  - by its distance from the same pointer as the data (`account.mutex` beside `account.balance`): two threads that
//  reach one
//    cell through such pointers hold the same lock, whichever account it is.
// A lock that may be several protects nothing.
#pragma once

#include <llvm/IR/Instructions.h>

#include <chrono>
#include <map>
#include <optional>
#include <set>
#include <unordered_map>

#include "statics/llvm/call_table.h"
#include "statics/llvm/pointer_model.h"
#include "statics/llvm/thread_classes.h"

namespace ravel {

struct MustLock {
  CellId cell = kNoCell;              // by cell
  const llvm::Value* base = nullptr;  // else: by distance from this pointer
  std::int64_t offset = 0;
  bool shared = false;

  [[nodiscard]] auto key() const { return std::tie(cell, base, offset, shared); }
  friend bool operator<(const MustLock& a, const MustLock& b) { return a.key() < b.key(); }
  friend bool operator==(const MustLock& a, const MustLock& b) { return a.key() == b.key(); }
};

using LockSet = std::set<MustLock>;

struct BaseAndOffset {
  const llvm::Value* base = nullptr;
  std::int64_t offset = 0;
};
BaseAndOffset base_of(const PointerModel& model, const llvm::Value* pointer);

class Locksets {
 public:
  // After the deadline, one of `processor_time`, nothing is held for certain.
  Locksets(const PointerModel& model, const CallTable& calls, const ThreadClasses& classes,
           std::chrono::nanoseconds deadline);
  [[nodiscard]] bool gave_up() const { return gave_up_; }

  // Before the instruction.
  [[nodiscard]] const LockSet& at(const llvm::Instruction& instruction) const;
  // The cell stands for one lock.
  [[nodiscard]] bool is_one(CellId cell) const;

 private:
  struct Summary {
    bool returns = false;
    LockSet gained;    // held when the function returns, whatever was held before; by cell
    CellSet released;  // may be
    bool known = false;
  };
  // What a call is entered with, and what its callees may release.
  struct Passed {
    LockSet held;
    CellSet released;
  };
  void find_released();
  void run();
  // The deadline has passed: nothing is known any more.
  bool give_up();
  bool flow(const llvm::Function& function);
  void step(const llvm::Instruction& instruction, LockSet& held, LockSet* gained);
  void call(const llvm::CallBase& call, LockSet& held, LockSet* gained);
  [[nodiscard]] std::optional<LockSet> entry_of(const llvm::Function& function) const;
  // Known of the callees that have returned; nullopt: none has.
  [[nodiscard]] std::optional<LockSet> gained_by(const CallRow& row) const;
  void release(const CellSet& cells, LockSet& held) const;
  [[nodiscard]] bool may_be(const MustLock& lock, const CellSet& cells) const;

  const PointerModel& model_;
  const CallTable& calls_;
  const ThreadClasses& classes_;
  std::unordered_map<const llvm::Function*, Summary> summaries_;
  std::unordered_map<const llvm::Function*, LockSet> entry_;
  std::set<const llvm::Function*> entered_;  // `entry_` is known
  std::set<const llvm::Function*> stale_;    // what flows into it, or what a callee does, has changed
  std::set<const llvm::Function*> roots_;
  std::unordered_map<const llvm::CallBase*, Passed> passed_;  // of calls that were seen
  std::unordered_map<const llvm::Instruction*, LockSet> at_;
  CellSet outside_;  // what code outside the module can reach, and may release
  std::chrono::nanoseconds deadline_;
  bool changed_ = false;
  bool gave_up_ = false;
  LockSet none_;
};

}  // namespace ravel
