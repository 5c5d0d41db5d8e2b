// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Ravel authors
#include "statics/llvm/system_code.h"

#include <llvm/ADT/SCCIterator.h>
#include <llvm/Analysis/CallGraph.h>
#include <llvm/Analysis/InlineCost.h>
#include <llvm/IR/InstIterator.h>
#include <llvm/IR/InstrTypes.h>
#include <llvm/Passes/PassBuilder.h>
#include <llvm/Transforms/Scalar/SCCP.h>
#include <llvm/Transforms/Scalar/SROA.h>
#include <llvm/Transforms/Utils/Cloning.h>
#include <llvm/Transforms/Utils/Local.h>

#include <algorithm>
#include <limits>
#include <map>
#include <set>
#include <vector>

#include "statics/llvm/places.h"

namespace ravel {
namespace {

// Instructions, before anything is simplified; a module that is larger without any copies is not made smaller.
constexpr std::uint64_t kMostInstructions = 150'000;
constexpr std::uint64_t kLargest = 32'768;  // the first limit of a function that is copied
constexpr std::uint64_t kSmallest = 64;

std::vector<llvm::CallBase*> direct_calls(llvm::Function& function) {
  std::vector<llvm::CallBase*> calls;
  for (llvm::Instruction& instruction : llvm::instructions(function)) {
    auto* call = llvm::dyn_cast<llvm::CallBase>(&instruction);
    if (call != nullptr && call->getCalledFunction() != nullptr) calls.push_back(call);
  }
  return calls;
}

class Inliner {
 public:
  explicit Inliner(llvm::Module& module) {
    llvm::PassBuilder builder;
    builder.registerModuleAnalyses(modules_);
    builder.registerCGSCCAnalyses(components_);
    builder.registerFunctionAnalyses(functions_);
    builder.registerLoopAnalyses(loops_);
    builder.crossRegisterProxies(loops_, functions_, components_, modules_);
    first_.addPass(llvm::SROAPass());
    then_.addPass(llvm::SROAPass());
    then_.addPass(llvm::SCCPPass());
    then_.addPass(llvm::SCCPPass());
    find_order(module);
  }

  void run() {
    for (llvm::Function* function : order_) first_.run(*function, functions_);
    functions_.clear();
    choose_limit();
    for (llvm::Function* function : order_) {
      inline_calls(*function);
      simplify(*function);
      if (!llvm::isInlineViable(*function).isSuccess()) copied_.erase(function);
    }
  }

 private:
  // Callees first. Functions that call themselves, in any way, stay calls.
  void find_order(llvm::Module& module) {
    llvm::CallGraph graph(module);
    for (auto component = llvm::scc_begin(&graph); !component.isAtEnd(); ++component) {
      for (const llvm::CallGraphNode* node : *component) {
        llvm::Function* function = node->getFunction();
        if (function == nullptr || function->isDeclaration()) continue;
        order_.push_back(function);
        if (!component.hasCycle() && in_system_header(*function)) copied_.insert(function);
      }
    }
  }

  // How many instructions the module has when functions of at most `limit` are copied; sizes by function.
  std::uint64_t size_with(std::uint64_t limit, std::map<const llvm::Function*, std::uint64_t>& sizes) const {
    std::uint64_t all = 0;
    for (llvm::Function* function : order_) {
      std::uint64_t size = function->getInstructionCount();
      for (const llvm::CallBase* call : direct_calls(*function)) {
        const auto callee = sizes.find(call->getCalledFunction());
        if (callee != sizes.end() && callee->second <= limit && copied_.count(callee->first) != 0)
          size += callee->second;
        size = std::min(size, std::numeric_limits<std::uint64_t>::max() / 4);
      }
      sizes[function] = size;
      const bool gone = copied_.count(function) != 0 && size <= limit && !function->hasAddressTaken();
      if (!gone) all = std::min(all + size, std::numeric_limits<std::uint64_t>::max() / 4);
    }
    return all;
  }

  void choose_limit() {
    for (std::uint64_t limit = std::numeric_limits<std::uint64_t>::max(); limit >= kSmallest;
         limit = limit > kLargest ? kLargest : limit / 2) {
      std::map<const llvm::Function*, std::uint64_t> sizes;
      if (size_with(limit, sizes) > kMostInstructions && limit > kSmallest) continue;
      for (const auto& [function, size] : sizes) {
        if (size > limit) copied_.erase(function);
      }
      return;
    }
  }

  void inline_calls(llvm::Function& function) const {
    for (llvm::CallBase* call : direct_calls(function)) {
      if (copied_.count(call->getCalledFunction()) == 0) continue;
      llvm::InlineFunctionInfo info;
      (void)llvm::InlineFunction(*call, info, nullptr, false);  // what cannot be copied stays a call
    }
  }

  // Not simplifycfg: it speculates stores and gives them line 0. Constant branches only, and what they make
  // unreachable: that `__gthread_active_p` is true decides every must-lockset.
  void simplify(llvm::Function& function) {
    functions_.clear(function, function.getName());
    then_.run(function, functions_);
    functions_.clear(function, function.getName());
    for (llvm::BasicBlock& block : function) llvm::ConstantFoldTerminator(&block, true);
    llvm::removeUnreachableBlocks(function);
  }

  llvm::LoopAnalysisManager loops_;
  llvm::FunctionAnalysisManager functions_;
  llvm::CGSCCAnalysisManager components_;
  llvm::ModuleAnalysisManager modules_;
  llvm::FunctionPassManager first_;
  llvm::FunctionPassManager then_;
  std::vector<llvm::Function*> order_;
  std::set<const llvm::Function*> copied_;
};

}  // namespace

void inline_system_code(llvm::Module& module) {
  Inliner(module).run();
}

}  // namespace ravel
