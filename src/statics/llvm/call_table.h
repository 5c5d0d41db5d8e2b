// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Ravel authors
//
// What calls and functions do to locks, memory and other functions, listed once: a virtual call may have hundreds of
// callees, and the analyses after points-to look at each call for every class of threads and in every round.
#pragma once

#include <llvm/IR/InstrTypes.h>

#include <unordered_map>
#include <vector>

#include "statics/llvm/operations.h"
#include "statics/llvm/pointer_model.h"

namespace ravel {

struct CallRow {
  std::vector<const llvm::Function*> bodies;  // the callees that have one
  std::vector<LockUse> locks;
  bool declared = false;  // a callee has no body
  bool outside = false;   // ... and is not of the library
  bool often = false;     // calls_back_often
};

// An operation and where it stands.
struct PlacedOperation {
  const llvm::Instruction* instruction = nullptr;
  Operation operation;
};

struct FunctionRow {
  std::vector<const llvm::CallBase*> calls;  // in order, like `operations`
  std::vector<PlacedOperation> operations;
  std::vector<const llvm::Function*> bodies;  // the callees of all its calls that have one
  std::vector<unsigned> callees;              // numbers of those that were reached
  bool ends_program = false;                  // a call of it may
};

// A function of the library calls what it was given as often as it likes: qsort, not call_once.
bool calls_back_often(const PointerModel& model, const llvm::CallBase& call);
// Runs what atexit was given, and destructors of static objects, on the thread that calls it.
bool ends_program(const llvm::Function& function);

class CallTable {
 public:
  // When all is solved.
  explicit CallTable(const PointerModel& model);

  // Of functions that were reached; others have empty rows.
  [[nodiscard]] const CallRow& of(const llvm::CallBase& call) const;
  [[nodiscard]] const FunctionRow& of(const llvm::Function& function) const;

  // For what a function has of its own and of all it may call: `grow(caller, callee)`, true when the caller has more
  // now, until nothing grows any more or `stop()`.
  template <class Grow, class Stop>
  void close(const Grow& grow, const Stop& stop) const {
    std::vector<unsigned> grown(functions_.size(), 1);  // in which round
    bool again = true;
    for (unsigned round = 1; again; ++round) {
      again = false;
      for (unsigned caller = 0; caller < functions_.size(); ++caller) {
        if (stop()) return;
        for (const unsigned callee : functions_[caller].callees) {
          if (grown[callee] + 1 < round || !grow(caller, callee)) continue;
          grown[caller] = round;
          again = true;
        }
      }
    }
  }

 private:
  void add(const PointerModel& model, const llvm::Function& function);

  static const CallRow kNoCall;
  static const FunctionRow kNoFunction;
  std::unordered_map<const llvm::CallBase*, CallRow> calls_;
  std::unordered_map<const llvm::Function*, unsigned> numbers_;
  std::vector<FunctionRow> functions_;  // in the order of PointerModel::functions
};

}  // namespace ravel
