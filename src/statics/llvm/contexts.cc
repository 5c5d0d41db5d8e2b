// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Ravel authors
#include "statics/llvm/contexts.h"

#include <llvm/ADT/SCCIterator.h>
#include <llvm/Analysis/CallGraph.h>
#include <llvm/IR/InstrTypes.h>
#include <llvm/Transforms/Utils/Cloning.h>

#include "statics/llvm/places.h"

namespace ravel {
namespace {

constexpr unsigned kLargeFunction = 3'000;  // instructions
constexpr std::size_t kMostCopied = 300'000;

std::vector<llvm::Function*> callees_first(llvm::Module& module) {
  std::vector<llvm::Function*> order;
  llvm::CallGraph graph(module);
  for (auto component = llvm::scc_begin(&graph); !component.isAtEnd(); ++component) {
    if (component.hasCycle()) continue;  // recursive
    for (const llvm::CallGraphNode* node : *component) {
      llvm::Function* function = node->getFunction();
      if (function == nullptr || function->isDeclaration() || function->getName() == "main") continue;
      if (!in_system_header(*function)) order.push_back(function);
    }
  }
  return order;
}

}  // namespace

FunctionContexts copy_by_call_site(llvm::Module& module) {
  FunctionContexts contexts;
  std::size_t copied = 0;
  for (llvm::Function* function : callees_first(module)) {
    std::vector<llvm::CallBase*> calls;
    bool address_taken = false;
    for (llvm::Use& use : function->uses()) {
      auto* call = llvm::dyn_cast<llvm::CallBase>(use.getUser());
      if (call != nullptr && call->isCallee(&use)) {
        calls.push_back(call);
      } else {
        address_taken = true;
      }
    }
    const unsigned size = function->getInstructionCount();
    if (calls.size() + (address_taken ? 1 : 0) < 2 || size > kLargeFunction) continue;
    if (copied + size * calls.size() > kMostCopied) continue;
    for (std::size_t i = 0; i < calls.size(); ++i) {
      const CodePlace place = user_place(*calls[i]).value_or(CodePlace{});
      if (i == 0 && !address_taken) {
        contexts[function] = {function, place};
        continue;
      }
      llvm::ValueToValueMapTy values;
      llvm::Function* copy = llvm::CloneFunction(function, values);
      copy->setLinkage(llvm::GlobalValue::InternalLinkage);
      calls[i]->setCalledFunction(copy);
      contexts[copy] = {function, place};
      copied += size;
    }
  }
  return contexts;
}

}  // namespace ravel
