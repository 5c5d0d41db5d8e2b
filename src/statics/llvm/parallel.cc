// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Ravel authors
#include "statics/llvm/parallel.h"

#include <llvm/ADT/PostOrderIterator.h>
#include <llvm/IR/CFG.h>

#include <algorithm>

namespace ravel {

Parallel::Parallel(const PointerModel& model, const CallTable& calls, const ThreadClasses& classes,
                   std::chrono::nanoseconds deadline)
    : model_(model), calls_(calls), classes_(classes), deadline_(deadline) {
  const auto count = static_cast<unsigned>(classes.all().size());
  descendants_.resize(count);
  flows_.resize(count);
  find_descendants();
  find_started();
  // Children first: what a thread leaves running when it ends decides what its join means. Classes are numbered as they
  // were found, so repeat until nothing changes; leaving out a kill is only less precise.
  for (unsigned round = 0; round < 2; ++round) {
    for (unsigned one = count; one-- > 0 && !gave_up_;) run(one);
  }
  if (gave_up_) return;
  meet_.assign(count, std::vector<bool>(count, false));
  for (unsigned a = 0; a < count; ++a) {
    for (unsigned b = 0; b < count; ++b) meet_[a][b] = compute_classes_meet(a, b);
  }
}

bool Parallel::give_up() {
  return gave_up_ = gave_up_ || processor_time() > deadline_;
}

void Parallel::find_descendants() {
  const auto& all = classes_.all();
  for (bool again = true; again;) {
    again = false;
    for (unsigned i = 0; i < all.size(); ++i) {
      for (const unsigned creator : all[i].facts.creators) {
        again |= descendants_[creator].test_and_set(i);
        again |= descendants_[creator] |= descendants_[i];
      }
    }
  }
}

void Parallel::find_started() {
  std::vector<Classes*> all;
  for (const llvm::Function* function : model_.functions()) {
    Classes& started = started_in_[function];
    all.push_back(&started);
    for (const llvm::CallBase* call : calls_.of(*function).calls) {
      for (const unsigned child : classes_.started_by(*call)) {
        started.set(child);
        started |= descendants_[child];
      }
    }
  }
  calls_.close([&](unsigned caller, unsigned callee) { return *all[caller] |= *all[callee]; },
               [&] { return give_up(); });
}

void Parallel::step(unsigned one, const llvm::Instruction& instruction, Classes& alive) {
  const auto* call = llvm::dyn_cast<llvm::CallBase>(&instruction);
  if (call == nullptr) return;
  // setjmp: whatever was started before the jump back.
  if (call->hasFnAttr(llvm::Attribute::ReturnsTwice)) alive |= descendants_[one];
  const auto [known, fresh] = joined_.try_emplace(call);
  if (fresh) known->second = classes_.classes_of(joined_by(model_, *call));
  const std::set<unsigned>& joined = known->second;
  if (joined.size() == 1) {
    const unsigned ended = *joined.begin();
    const ClassOfThreads& row = classes_.all()[ended];
    // One thread in the whole execution, so this join was its.
    if (!row.facts.many && row.facts.creators.size() == 1 && row.facts.creators[0] == one) {
      alive.reset(ended);
      Classes left = descendants_[ended];
      left.intersectWithComplement(flows_[ended].at_end);
      alive.intersectWithComplement(left);
    }
  }
  for (const unsigned started : classes_.started_by(*call)) {
    alive.set(started);
    alive |= descendants_[started];
  }
  Classes after;
  const CallRow& row = calls_.of(*call);
  for (const llvm::Function* callee : row.bodies) {
    // At once, so that one pass over the callers is enough as a rule.
    bool grew = flows_[one].entry[callee] |= alive;
    if (row.often) grew |= flows_[one].entry[callee] |= started_in_[callee];  // by the calls before
    if (grew) {
      changed_ = true;
      (void)flow(one, *callee);
    }
    // Alive before or started inside, and not joined there: not what other callers of the function had alive.
    Classes out = alive;
    out |= started_in_[callee];
    out &= flows_[one].exit[callee];
    after |= out;
  }
  if (row.bodies.empty()) return;
  if (row.declared) after |= alive;
  alive = std::move(after);
}

bool Parallel::flow(unsigned one, const llvm::Function& function) {
  if (give_up()) return false;
  if (!visiting_.insert(&function).second) return false;  // recursion: in the next round
  Flow& flow = flows_[one];
  std::map<const llvm::BasicBlock*, Classes> out;
  Classes exit;
  const llvm::ReversePostOrderTraversal<const llvm::Function*> order(&function);
  for (bool again = true; again;) {
    again = false;
    for (const llvm::BasicBlock* block : order) {
      Classes alive;
      if (block == &function.getEntryBlock()) alive = flow.entry[&function];
      for (const llvm::BasicBlock* before : llvm::predecessors(block)) {
        const auto found = out.find(before);
        if (found == out.end()) continue;
        alive |= found->second;
        // A join that throws has joined nothing.
        const auto* call = llvm::dyn_cast<llvm::InvokeInst>(before->getTerminator());
        if (call != nullptr && call->getUnwindDest() == block) alive |= flow.at[call];
      }
      for (const llvm::Instruction& instruction : *block) {
        flow.at[&instruction] |= alive;
        step(one, instruction, alive);
      }
      if (block->getTerminator()->getNumSuccessors() == 0) exit |= alive;  // a return, or an exception on its way
      again |= out.emplace(block, Classes{}).second;
      again |= out[block] |= alive;
    }
  }
  visiting_.erase(&function);
  return flow.exit[&function] |= exit;
}

void Parallel::run(unsigned one) {
  if (descendants_[one].empty()) return;  // nobody is alive whom it started
  Flow& flow = flows_[one];
  flow = Flow{};
  const ClassOfThreads& row = classes_.all()[one];
  for (const llvm::Function* entry : row.entries) {
    // What runs at the end of the program, or at any time, meets whatever the thread may have started.
    if (classes_.is_late(*entry)) flow.entry[entry] = descendants_[one];
  }
  do {
    changed_ = false;
    Classes before_main;  // static constructors run first, one after another
    for (const llvm::Function* entry : row.entries) {
      if (one == 0 && !classes_.is_late(*entry)) {
        changed_ |= flow.entry[entry] |= before_main;
        before_main |= flow.exit[entry];
      }
    }
    for (const llvm::Function* function : row.functions) changed_ |= this->flow(one, *function);
  } while (changed_ && !gave_up_);
  for (const llvm::Function* entry : row.entries) flow.at_end |= flow.exit[entry];
}

bool Parallel::alive_at(unsigned ancestor, const llvm::Instruction& instruction, unsigned other) const {
  const auto found = flows_[ancestor].at.find(&instruction);
  return found != flows_[ancestor].at.end() && found->second.test(other);
}

// The child of `ancestor` that is `descendant` or above it; the class itself: not one child alone.
unsigned Parallel::child_towards(unsigned ancestor, unsigned descendant) const {
  unsigned child = ancestor;
  for (unsigned i = 0; i < classes_.all().size(); ++i) {
    const auto& creators = classes_.all()[i].facts.creators;
    if (std::find(creators.begin(), creators.end(), ancestor) == creators.end()) continue;
    if (i != descendant && !descendants_[i].test(descendant)) continue;
    if (child != ancestor || creators.size() != 1) return ancestor;
    child = i;
  }
  return child;
}

bool Parallel::compute_classes_meet(unsigned first, unsigned second) const {
  const auto& all = classes_.all();
  if (first == second) {
    if (!all[first].facts.many) return false;
    if (all[first].again) return true;
    // Each one joined before the next is created: then none is alive where one is.
    if (all[first].facts.creators.size() != 1) return true;
    const unsigned creator = all[first].facts.creators[0];
    if (all[creator].facts.many || creator == first) return true;
    return std::any_of(all[first].creations.begin(), all[first].creations.end(),
                       [&](const llvm::CallBase* call) { return alive_at(creator, *call, first); });
  }
  if (descendants_[first].test(second) || descendants_[second].test(first)) return true;  // decided by instruction
  // The nearest common ancestor, and its children on the way to both.
  unsigned ancestor = 0;
  for (;;) {
    if (all[ancestor].facts.many) return true;
    const unsigned to_first = child_towards(ancestor, first);
    const unsigned to_second = child_towards(ancestor, second);
    if (to_first == ancestor || to_second == ancestor) return true;
    if (to_first == to_second) {
      ancestor = to_first;
      continue;
    }
    for (const llvm::CallBase* call : all[to_second].creations) {
      if (alive_at(ancestor, *call, first)) return true;
    }
    for (const llvm::CallBase* call : all[to_first].creations) {
      if (alive_at(ancestor, *call, second)) return true;
    }
    return false;
  }
}

std::vector<unsigned> Parallel::alive(unsigned one, const llvm::Instruction& at) const {
  std::vector<unsigned> classes;
  if (gave_up_) return classes;
  const auto found = flows_[one].at.find(&at);
  if (found == flows_[one].at.end()) return classes;
  for (const unsigned other : found->second) classes.push_back(other);
  return classes;
}

bool Parallel::may_meet(unsigned first, const llvm::Instruction& at_first, unsigned second,
                        const llvm::Instruction& at_second) const {
  const auto& all = classes_.all();
  if (gave_up_) return first != second || all[first].facts.many;
  if (!meet_[first][second]) return false;
  if (first != second && descendants_[first].test(second) && !descendants_[second].test(first)) {
    return all[first].facts.many || alive_at(first, at_first, second);
  }
  if (first != second && descendants_[second].test(first) && !descendants_[first].test(second)) {
    return all[second].facts.many || alive_at(second, at_second, first);
  }
  return true;
}

}  // namespace ravel
