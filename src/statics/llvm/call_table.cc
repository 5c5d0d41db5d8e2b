// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Ravel authors
#include "statics/llvm/call_table.h"

#include <llvm/IR/InstIterator.h>

#include <algorithm>

namespace ravel {

bool calls_back_often(const PointerModel& model, const llvm::CallBase& call) {
  const auto& callees = model.callees(call);
  return std::any_of(callees.begin(), callees.end(), [](const llvm::Function* callee) {
    if (!callee->isDeclaration()) return false;
    const LibraryCall kind = library_call(callee->getName());
    return kind == LibraryCall::kCallsNow || kind == LibraryCall::kUnknown;
  });
}

bool ends_program(const llvm::Function& function) {
  return function.getName() == "exit" || function.getName() == "quick_exit";
}

const CallRow CallTable::kNoCall;
const FunctionRow CallTable::kNoFunction;

CallTable::CallTable(const PointerModel& model) {
  for (const llvm::Function* function : model.functions())
    numbers_.emplace(function, static_cast<unsigned>(numbers_.size()));
  functions_.resize(numbers_.size());
  for (const llvm::Function* function : model.functions()) add(model, *function);
}

void CallTable::add(const PointerModel& model, const llvm::Function& function) {
  FunctionRow& row = functions_[numbers_.at(&function)];
  for (const llvm::Instruction& instruction : llvm::instructions(function)) {
    for (const Operation& operation : operations_of(model, instruction))
      row.operations.push_back({&instruction, operation});
    const auto* call = llvm::dyn_cast<llvm::CallBase>(&instruction);
    if (call == nullptr) continue;
    row.calls.push_back(call);
    CallRow& known = calls_[call];
    known.locks = lock_steps_of(model, instruction);
    known.often = calls_back_often(model, *call);
    for (const llvm::Function* callee : model.callees(*call)) {
      if (callee->isDeclaration()) {
        known.declared = true;
        known.outside = known.outside || model.opaque().count(callee->getName().str()) != 0;
      } else {
        known.bodies.push_back(callee);
        row.bodies.push_back(callee);
      }
      row.ends_program = row.ends_program || ends_program(*callee);
    }
  }
  std::sort(row.bodies.begin(), row.bodies.end());
  row.bodies.erase(std::unique(row.bodies.begin(), row.bodies.end()), row.bodies.end());
  for (const llvm::Function* callee : row.bodies) {
    const auto found = numbers_.find(callee);
    if (found != numbers_.end()) row.callees.push_back(found->second);
  }
}

const CallRow& CallTable::of(const llvm::CallBase& call) const {
  const auto found = calls_.find(&call);
  return found == calls_.end() ? kNoCall : found->second;
}

const FunctionRow& CallTable::of(const llvm::Function& function) const {
  const auto found = numbers_.find(&function);
  return found == numbers_.end() ? kNoFunction : functions_[found->second];
}

}  // namespace ravel
