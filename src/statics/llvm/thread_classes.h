// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Ravel authors
//
// Threads by the statement that creates them and the function they run. Creations that the library makes of one
// statement (a vector that grows constructs in two places) are one class.
#pragma once

#include <llvm/IR/Instructions.h>

#include <map>
#include <set>
#include <vector>

#include "statics/facts.h"
#include "statics/llvm/call_table.h"
#include "statics/llvm/contexts.h"
#include "statics/llvm/pointer_model.h"

namespace ravel {

struct ClassOfThreads {
  ThreadClass facts;
  std::vector<const llvm::Function*> entries;
  std::vector<const llvm::CallBase*> creations;
  bool again = false;                         // a call may start several that run at a time
  std::set<const llvm::Function*> functions;  // what its threads can call
};

class ThreadClasses {
 public:
  ThreadClasses(const PointerModel& model, const CallTable& calls, const FunctionContexts& contexts);

  [[nodiscard]] const std::vector<ClassOfThreads>& all() const { return classes_; }  // 0 is main
  // The classes whose thread a handle may name.
  [[nodiscard]] std::set<unsigned> classes_of(const CellSet& handles) const;
  // The calls that may call a function.
  [[nodiscard]] const std::vector<const llvm::CallBase*>& callers_of(const llvm::Function& function) const;
  // The classes that a call starts.
  [[nodiscard]] std::vector<unsigned> started_by(const llvm::CallBase& call) const;
  // Runs when a thread or the program ends, or at any time.
  [[nodiscard]] bool is_late(const llvm::Function& function) const;
  // The function runs at most once in an execution.
  [[nodiscard]] bool runs_once(const llvm::Function& function) const { return once_.count(&function) != 0; }
  // The same for an instruction: not in a loop either.
  [[nodiscard]] bool runs_once(const llvm::Instruction& instruction) const;
  [[nodiscard]] bool in_loop(const llvm::Instruction& instruction) const;

 private:
  void add_outside();
  void add_anywhere();
  void find_loops();
  void find_once();
  bool called_once(const llvm::Function& function, std::set<const llvm::Function*>& on_path);
  void make_classes(const FunctionContexts& contexts);
  void find_functions(ClassOfThreads& one) const;
  void find_creators();

  const PointerModel& model_;
  const CallTable& calls_;
  std::vector<ClassOfThreads> classes_;
  std::map<const llvm::CallBase*, std::vector<unsigned>> started_;
  std::map<MemoryId, std::set<unsigned>> by_thread_;
  std::set<const llvm::BasicBlock*> looping_;
  std::set<const llvm::Function*> once_;
  std::map<const llvm::Function*, std::vector<const llvm::CallBase*>> callers_;
  std::vector<const llvm::CallBase*> no_callers_;
};

}  // namespace ravel
