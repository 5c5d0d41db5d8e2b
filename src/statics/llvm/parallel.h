// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Ravel authors
//
// Which threads may run at the same time, from creations and joins: at each instruction of a class, the descendants
// that may be alive. Threads of different parents meet at their nearest common ancestor.
#pragma once

#include <llvm/ADT/SparseBitVector.h>
#include <llvm/IR/Instructions.h>

#include <chrono>
#include <map>
#include <set>
#include <unordered_map>
#include <vector>

#include "statics/llvm/call_table.h"
#include "statics/llvm/thread_classes.h"

namespace ravel {

class Parallel {
 public:
  // After the deadline, one of `processor_time`, any two threads may meet anywhere.
  Parallel(const PointerModel& model, const CallTable& calls, const ThreadClasses& classes,
           std::chrono::nanoseconds deadline);
  [[nodiscard]] bool gave_up() const { return gave_up_; }

  // Whether threads of the two classes may stand at the two instructions at once.
  [[nodiscard]] bool may_meet(unsigned first, const llvm::Instruction& at_first, unsigned second,
                              const llvm::Instruction& at_second) const;
  // The descendants of a class that may be alive at an instruction: `may_meet` asks for nothing else of it.
  [[nodiscard]] std::vector<unsigned> alive(unsigned one, const llvm::Instruction& at) const;

 private:
  using Classes = llvm::SparseBitVector<>;
  struct Flow {  // of one class
    std::unordered_map<const llvm::Function*, Classes> entry;
    std::unordered_map<const llvm::Function*, Classes> exit;
    std::unordered_map<const llvm::Instruction*, Classes> at;
    Classes at_end;
  };
  void find_descendants();
  void find_started();
  bool give_up();
  void run(unsigned one);
  bool flow(unsigned one, const llvm::Function& function);
  void step(unsigned one, const llvm::Instruction& instruction, Classes& alive);
  [[nodiscard]] bool alive_at(unsigned ancestor, const llvm::Instruction& instruction, unsigned other) const;
  [[nodiscard]] bool compute_classes_meet(unsigned first, unsigned second) const;
  [[nodiscard]] unsigned child_towards(unsigned ancestor, unsigned descendant) const;

  const PointerModel& model_;
  const CallTable& calls_;
  const ThreadClasses& classes_;
  std::vector<Classes> descendants_;
  std::unordered_map<const llvm::Function*, Classes> started_in_;  // by the function or what it calls
  std::vector<Flow> flows_;
  std::map<const llvm::CallBase*, std::set<unsigned>> joined_;  // classes that a call may wait for
  std::vector<std::vector<bool>> meet_;
  std::set<const llvm::Function*> visiting_;
  std::chrono::nanoseconds deadline_;
  bool changed_ = false;
  bool gave_up_ = false;
};

}  // namespace ravel
