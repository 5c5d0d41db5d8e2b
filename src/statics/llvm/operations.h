// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Ravel authors
//
// What an instruction does to memory, locks and conditions: one list for all analyses.
#pragma once

#include <llvm/IR/Instruction.h>

#include <cstdint>
#include <vector>

#include "statics/facts.h"
#include "statics/llvm/pointer_model.h"

namespace ravel {

struct Operation {
  SiteKind kind = SiteKind::kRead;
  const llvm::Value* pointer = nullptr;  // memory, lock or condition
  std::int64_t bytes = 1;
  bool behind = false;                 // the lock is what *pointer points to
  const llvm::Value* mutex = nullptr;  // of a wait
  bool mutex_behind = false;           // ... through a std::unique_lock
};

enum class LockEffect : std::uint8_t { kAcquire, kAcquireShared, kRelease };

struct LockUse {
  LockEffect effect = LockEffect::kAcquire;
  const llvm::Value* pointer = nullptr;
  bool behind = false;
};

// Empty for what touches nothing that another thread could.
std::vector<Operation> operations_of(const PointerModel& model, const llvm::Instruction& instruction);
// Locks that are held for certain afterwards, or may be released.
std::vector<LockUse> lock_steps_of(const PointerModel& model, const llvm::Instruction& instruction);
const CellSet& cells_of(const PointerModel& model, const llvm::Value* pointer, bool behind);
// The handle that a call joins for certain, as the cells it holds; empty: it joins nothing.
CellSet joined_by(const PointerModel& model, const llvm::CallBase& call);

}  // namespace ravel
