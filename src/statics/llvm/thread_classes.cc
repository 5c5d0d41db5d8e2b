// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Ravel authors
#include "statics/llvm/thread_classes.h"

#include <llvm/ADT/SCCIterator.h>
#include <llvm/Analysis/CFG.h>
#include <llvm/IR/CFG.h>
#include <llvm/IR/InstIterator.h>

#include <algorithm>

#include "statics/llvm/library_calls.h"
#include "statics/llvm/places.h"

namespace ravel {
namespace {

bool returns_twice(const llvm::Function& function) {
  return std::any_of(llvm::inst_begin(function), llvm::inst_end(function), [](const llvm::Instruction& instruction) {
    const auto* call = llvm::dyn_cast<llvm::CallBase>(&instruction);
    return call != nullptr && call->hasFnAttr(llvm::Attribute::ReturnsTwice);
  });
}

}  // namespace

ThreadClasses::ThreadClasses(const PointerModel& model, const CallTable& calls, const FunctionContexts& contexts)
    : model_(model), calls_(calls) {
  for (const llvm::Function* function : model.functions()) {
    for (const llvm::CallBase* call : calls.of(*function).calls) {
      for (const llvm::Function* callee : model.callees(*call)) {
        callers_[callee].push_back(call);
        if (!ends_program(*callee)) continue;
        for (const llvm::Function* late : model.late_functions()) callers_[late].push_back(call);
      }
    }
  }
  find_loops();
  make_classes(contexts);
  add_outside();
  add_anywhere();
  find_once();
  for (ClassOfThreads& one : classes_) find_functions(one);
  find_creators();
}

void ThreadClasses::find_loops() {
  for (const llvm::Function* function : model_.functions()) {
    for (auto component = llvm::scc_begin(function); !component.isAtEnd(); ++component) {
      if (!component.hasCycle()) continue;
      for (const llvm::BasicBlock* block : *component) looping_.insert(block);
    }
    if (!returns_twice(*function)) continue;  // setjmp: whatever is behind it may run again
    for (const llvm::BasicBlock& block : *function) looping_.insert(&block);
  }
}

bool ThreadClasses::in_loop(const llvm::Instruction& instruction) const {
  return looping_.count(instruction.getParent()) != 0;
}

bool ThreadClasses::runs_once(const llvm::Instruction& instruction) const {
  return runs_once(*instruction.getFunction()) && !in_loop(instruction);
}

bool ThreadClasses::is_late(const llvm::Function& function) const {
  return model_.late_functions().count(&function) != 0 || model_.anywhere_functions().count(&function) != 0;
}

bool ThreadClasses::called_once(const llvm::Function& function, std::set<const llvm::Function*>& on_path) {
  if (once_.count(&function) != 0) return true;
  if (!on_path.insert(&function).second || is_late(function) || model_.outside_entries().count(&function) != 0)
    return false;
  std::vector<const llvm::CallBase*> ways;
  const auto callers = callers_.find(&function);
  if (callers != callers_.end()) ways = callers->second;
  for (const Creation& creation : model_.creations()) {
    if (creation.entry != &function) continue;
    if (creation.again) return false;
    ways.push_back(creation.call);
  }
  if (ways.size() != 1 || in_loop(*ways[0]) || calls_.of(*ways[0]).often) return false;
  if (!called_once(*ways[0]->getFunction(), on_path)) return false;
  once_.insert(&function);
  return true;
}

void ThreadClasses::find_once() {
  for (const llvm::Function* function : model_.initialisers()) once_.insert(function);
  if (const llvm::Function* main = model_.module().getFunction("main")) {
    if (callers_.count(main) == 0) once_.insert(main);
  }
  for (const llvm::Function* function : model_.functions()) {
    std::set<const llvm::Function*> on_path;
    called_once(*function, on_path);
  }
  for (ClassOfThreads& one : classes_) {
    for (const llvm::CallBase* call : one.creations) {
      if (!runs_once(*call)) one.facts.many = true;
      for (const llvm::CallBase* other : one.creations) {
        if (other == call) continue;
        // Two places of one statement are alternatives.
        if (other->getFunction() != call->getFunction() || llvm::isPotentiallyReachable(call, other))
          one.facts.many = true;
      }
    }
  }
}

void ThreadClasses::make_classes(const FunctionContexts& contexts) {
  ClassOfThreads first;
  first.facts.name = "main";
  first.facts.entry = "main";
  for (const llvm::Function* function : model_.initialisers()) first.entries.push_back(function);
  if (const llvm::Function* main = model_.module().getFunction("main")) first.entries.push_back(main);
  for (const llvm::Function* function : model_.late_functions()) first.entries.push_back(function);
  classes_.push_back(first);
  std::map<std::tuple<CodePlace, CodePlace, const llvm::Function*>, unsigned> known;
  for (const Creation& creation : model_.creations()) {
    const CodePlace place = user_place(*creation.call).value_or(CodePlace{});
    const auto context = contexts.find(creation.call->getFunction());
    const CodePlace around = context == contexts.end() ? CodePlace{} : context->second.call;
    const auto [found, fresh] =
        known.try_emplace({place, around, creation.original}, static_cast<unsigned>(classes_.size()));
    if (fresh) {
      ClassOfThreads one;
      one.facts.name = "T" + std::to_string(classes_.size());
      one.facts.entry = readable_name(*creation.original);
      one.facts.created_at = place;
      one.facts.context = around;
      classes_.push_back(one);
    }
    ClassOfThreads& one = classes_[found->second];
    one.entries.push_back(creation.entry);
    one.creations.push_back(creation.call);
    one.again |= creation.again;
    one.facts.many |= creation.again;
    started_[creation.call].push_back(found->second);
    by_thread_[creation.thread].insert(found->second);
  }
}

// Threads of code outside the module, if it has them: one class, since nothing is known of them.
void ThreadClasses::add_outside() {
  if (model_.outside_entries().empty()) return;
  ClassOfThreads one;
  one.facts.name = "T" + std::to_string(classes_.size());
  std::set<std::string> names;
  for (const llvm::Function* function : model_.outside_entries()) {
    names.insert(readable_name(*function));
    one.entries.push_back(function);
  }
  one.facts.entry = *names.begin();
  if (names.size() > 1) one.facts.entry += " and " + std::to_string(names.size() - 1) + " more";
  one.facts.created_at = user_place(*model_.outside_calls().front()).value_or(CodePlace{});
  one.facts.many = one.facts.assumed = one.again = true;
  one.creations = model_.outside_calls();
  for (const llvm::CallBase* call : one.creations) started_[call].push_back(static_cast<unsigned>(classes_.size()));
  classes_.push_back(std::move(one));
}

void ThreadClasses::add_anywhere() {
  for (ClassOfThreads& one : classes_) {
    for (const llvm::Function* function : model_.anywhere_functions()) one.entries.push_back(function);
  }
}

void ThreadClasses::find_functions(ClassOfThreads& one) const {
  std::vector<const llvm::Function*> waiting = one.entries;
  while (!waiting.empty()) {
    const llvm::Function* function = waiting.back();
    waiting.pop_back();
    if (function->isDeclaration() || !one.functions.insert(function).second) continue;
    const FunctionRow& row = calls_.of(*function);
    waiting.insert(waiting.end(), row.bodies.begin(), row.bodies.end());
    if (!row.ends_program) continue;
    for (const llvm::Function* late : model_.late_functions()) {
      waiting.push_back(late);
      if (std::find(one.entries.begin(), one.entries.end(), late) == one.entries.end()) one.entries.push_back(late);
    }
  }
  // The first user function, where the entry is the library's.
  for (const llvm::Function* entry : one.entries) {
    if (one.facts.name == "main" || one.facts.assumed || is_late(*entry) || !in_system_header(*entry)) continue;
    std::vector<const llvm::Function*> found;
    for (const llvm::Instruction& instruction : llvm::instructions(*entry)) {
      const auto* call = llvm::dyn_cast<llvm::CallBase>(&instruction);
      if (call == nullptr) continue;
      for (const llvm::Function* callee : model_.callees(*call)) {
        if (!callee->isDeclaration() && !in_system_header(*callee)) found.push_back(callee);
      }
    }
    if (found.size() == 1) const_cast<ClassOfThreads&>(one).facts.entry = readable_name(*found[0]);
  }
}

void ThreadClasses::find_creators() {
  for (ClassOfThreads& one : classes_) {
    std::set<unsigned> creators;
    for (const llvm::CallBase* call : one.creations) {
      for (unsigned i = 0; i < classes_.size(); ++i) {
        if (classes_[i].functions.count(call->getFunction()) != 0) creators.insert(i);
      }
    }
    one.facts.creators.assign(creators.begin(), creators.end());
  }
}

std::set<unsigned> ThreadClasses::classes_of(const CellSet& handles) const {
  std::set<unsigned> classes;
  for (const CellId cell : handles) {
    const auto found = by_thread_.find(model_.points_to().object_of(cell));
    if (found == by_thread_.end()) continue;
    classes.insert(found->second.begin(), found->second.end());
  }
  return classes;
}

const std::vector<const llvm::CallBase*>& ThreadClasses::callers_of(const llvm::Function& function) const {
  const auto found = callers_.find(&function);
  return found == callers_.end() ? no_callers_ : found->second;
}

std::vector<unsigned> ThreadClasses::started_by(const llvm::CallBase& call) const {
  const auto found = started_.find(&call);
  return found == started_.end() ? std::vector<unsigned>{} : found->second;
}

}  // namespace ravel
