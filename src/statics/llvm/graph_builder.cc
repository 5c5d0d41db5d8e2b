// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Ravel authors
#include "statics/llvm/graph_builder.h"

#include <llvm/Analysis/PostDominators.h>
#include <llvm/IR/Instructions.h>

#include <algorithm>

#include "statics/llvm/conditions.h"
#include "statics/llvm/operations.h"
#include "statics/llvm/places.h"

namespace ravel {
namespace {

void add_once(std::vector<unsigned>& list, unsigned number) {
  if (std::find(list.begin(), list.end(), number) == list.end()) list.push_back(number);
}

class Builder {
 public:
  Builder(const PointerModel& model, const ThreadClasses& classes, const Shared& shared, const Accesses& accesses)
      : model_(model), classes_(classes), shared_(shared), accesses_(accesses) {}

  CodeGraph run() {
    for (const llvm::Function* function : model_.functions()) {
      numbers_[function] = static_cast<unsigned>(graph_.functions.size());
      graph_.functions.push_back({readable_name(*function), 0});
    }
    for (const llvm::Function* function : model_.functions()) add_nodes(*function);
    for (const llvm::Function* function : model_.functions()) add_edges(*function);
    for (const MemoryAccess& access : accesses_.all()) add_memory(access);
    for (const ClassOfThreads& one : classes_.all()) {
      graph_.entries.emplace_back();
      for (const llvm::Function* entry : one.entries) add_once(graph_.entries.back(), numbers_.at(entry));
    }
    return std::move(graph_);
  }

 private:
  // Callees that are in the graph, in its order: that of addresses changes from run to run.
  [[nodiscard]] std::vector<unsigned> known_callees(const llvm::CallBase& call) const {
    std::vector<unsigned> list;
    for (const llvm::Function* callee : model_.callees(call)) {
      const auto found = numbers_.find(callee);
      if (found != numbers_.end()) list.push_back(found->second);
    }
    std::sort(list.begin(), list.end());
    return list;
  }

  unsigned new_node(unsigned function, const CodePlace& place) {
    graph_.nodes.emplace_back();
    graph_.nodes.back().function = function;
    graph_.nodes.back().place = place;
    return static_cast<unsigned>(graph_.nodes.size() - 1);
  }

  void add_nodes(const llvm::Function& function) {
    const unsigned number = numbers_.at(&function);
    graph_.functions[number].entry = static_cast<unsigned>(graph_.nodes.size());
    for (const llvm::BasicBlock& block : function) {
      unsigned node = first_[&block] = new_node(number, {});
      bool closed = false;  // behind a call
      for (const llvm::Instruction& instruction : block) {
        const auto place = user_place(instruction);
        const auto* call = llvm::dyn_cast<llvm::CallBase>(&instruction);
        const bool alone = call != nullptr && (!known_callees(*call).empty() || !classes_.started_by(*call).empty());
        const CodePlace& now = graph_.nodes[node].place;
        const bool elsewhere = place && now.line != 0 && (place->line != now.line || place->file != now.file);
        if (closed || elsewhere || (alone && now.line != 0)) {
          const unsigned next = new_node(number, {});
          graph_.nodes[node].next.push_back(next);
          node = next;
        }
        if (place && graph_.nodes[node].place.line == 0) graph_.nodes[node].place = *place;
        at_[&instruction] = node;
        closed = alone;
      }
      last_[&block] = node;
    }
  }

  void add_edges(const llvm::Function& function) {
    for (const llvm::BasicBlock& block : function) {
      for (const llvm::Instruction& instruction : block) add_instruction(instruction);
      for (const llvm::BasicBlock* next : llvm::successors(&block))
        add_once(graph_.nodes[last_[&block]].next, first_[next]);
    }
    add_control(function);
  }

  void add_instruction(const llvm::Instruction& instruction) {
    const unsigned number = at_.at(&instruction);
    GraphNode& node = graph_.nodes[number];
    for (const llvm::Use& operand : instruction.operands()) {
      const auto* value = llvm::dyn_cast<llvm::Instruction>(operand.get());
      if (value == nullptr || llvm::isa<llvm::AllocaInst>(value)) continue;
      if (const unsigned from = at_.at(value); from != number) add_once(node.uses, from);
    }
    if (llvm::isa<llvm::ReturnInst>(instruction) || llvm::isa<llvm::ResumeInst>(instruction)) node.leaves = true;
    const auto* branch = llvm::dyn_cast<llvm::BranchInst>(&instruction);
    if (branch != nullptr && branch->isConditional())
      node.condition = condition_text(model_, accesses_, *branch->getCondition());
    const auto* call = llvm::dyn_cast<llvm::CallBase>(&instruction);
    if (call == nullptr) return;
    for (const unsigned callee : known_callees(*call)) add_once(node.calls, callee);
    for (const unsigned started : classes_.started_by(*call)) {
      for (const llvm::Function* entry : classes_.all()[started].entries) add_once(node.starts, numbers_.at(entry));
    }
    node.uses_result = node.uses_result || !call->use_empty();
    for (const llvm::Function* callee : model_.callees(*call)) {
      if (callee->getName() == "__cxa_throw" || callee->getName() == "__cxa_rethrow") node.leaves = true;
    }
  }

  // For a branch with a successor s: everything from s up the post-dominator tree to the branch's own parent there.
  void add_control(const llvm::Function& function) {
    llvm::PostDominatorTree tree(const_cast<llvm::Function&>(function));
    for (const llvm::BasicBlock& block : function) {
      const llvm::Instruction* end = block.getTerminator();
      if (end->getNumSuccessors() < 2) continue;
      const auto* mine = tree.getNode(&block);
      const auto* stop = mine == nullptr ? nullptr : mine->getIDom();
      for (unsigned side = 0; side < end->getNumSuccessors(); ++side) {
        for (const auto* at = tree.getNode(end->getSuccessor(side)); at != nullptr && at != stop; at = at->getIDom()) {
          if (at->getBlock() == nullptr) break;
          controlled_by(*at->getBlock(), last_[&block], side);
        }
      }
    }
  }

  void controlled_by(const llvm::BasicBlock& block, unsigned branch, unsigned side) {
    for (const llvm::Instruction& instruction : block) {
      std::vector<ControlledBy>& control = graph_.nodes[at_.at(&instruction)].control;
      const bool known = std::any_of(control.begin(), control.end(),
                                     [&](const ControlledBy& one) { return one.branch == branch && one.side == side; });
      if (!known) control.push_back({branch, side});
    }
  }

  void add_memory(const MemoryAccess& access) {
    if (access.kind > SiteKind::kAtomicWrite) return;
    const auto found = at_.find(access.instruction);
    if (found == at_.end()) return;
    const bool writes = access.kind == SiteKind::kWrite || access.kind == SiteKind::kAtomicWrite;
    const bool reads = !writes || llvm::isa<llvm::AtomicRMWInst>(access.instruction) ||
                       llvm::isa<llvm::AtomicCmpXchgInst>(access.instruction);
    for (const MemoryRange& range : access.ranges) {
      const unsigned part = part_of(range);
      if (writes) add_once(graph_.nodes[found->second].writes, part);
      if (reads) add_once(graph_.nodes[found->second].reads, part);
    }
  }

  unsigned part_of(const MemoryRange& range) {
    const auto [found, fresh] =
        parts_.try_emplace({range.object, range.begin, range.end}, static_cast<unsigned>(graph_.memory.size()));
    if (fresh) {
      graph_.memory.push_back({accesses_.object_name(range.object, range.begin), range.object, range.begin, range.end,
                               shared_.contains(range.object)});
    }
    return found->second;
  }

  const PointerModel& model_;
  const ThreadClasses& classes_;
  const Shared& shared_;
  const Accesses& accesses_;
  CodeGraph graph_;
  std::map<const llvm::Function*, unsigned> numbers_;
  std::map<const llvm::Instruction*, unsigned> at_;
  std::map<const llvm::BasicBlock*, unsigned> first_;
  std::map<const llvm::BasicBlock*, unsigned> last_;
  std::map<std::tuple<MemoryId, std::int64_t, std::int64_t>, unsigned> parts_;
};

}  // namespace

CodeGraph build_graph(const PointerModel& model, const ThreadClasses& classes, const Shared& shared,
                      const Accesses& accesses) {
  return Builder(model, classes, shared, accesses).run();
}

}  // namespace ravel
