// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Ravel authors
#include "statics/llvm/locksets.h"

#include <llvm/ADT/PostOrderIterator.h>
#include <llvm/IR/CFG.h>

namespace ravel {
namespace {

constexpr unsigned kMostRounds = 200;

void keep_common(LockSet& set, const LockSet& other) {
  for (auto lock = set.begin(); lock != set.end();) lock = other.count(*lock) != 0 ? std::next(lock) : set.erase(lock);
}

LockSet by_cell(const LockSet& set) {
  LockSet kept;
  for (const MustLock& lock : set) {
    if (lock.cell != kNoCell) kept.insert(lock);
  }
  return kept;
}

}  // namespace

BaseAndOffset base_of(const PointerModel& model, const llvm::Value* pointer) {
  const llvm::DataLayout& layout = model.module().getDataLayout();
  llvm::APInt offset(layout.getIndexTypeSizeInBits(pointer->getType()), 0);
  const llvm::Value* base = pointer->stripAndAccumulateConstantOffsets(layout, offset, true);
  return {base, offset.getSExtValue()};
}

Locksets::Locksets(const PointerModel& model, const CallTable& calls, const ThreadClasses& classes,
                   std::chrono::nanoseconds deadline)
    : model_(model), calls_(calls), classes_(classes), deadline_(deadline) {
  for (const ClassOfThreads& one : classes.all()) roots_.insert(one.entries.begin(), one.entries.end());
  outside_ = model.outside_cells();
  find_released();
  run();
}

bool Locksets::give_up() {
  if (!gave_up_ && processor_time() <= deadline_) return false;
  at_.clear();
  return gave_up_ = true;
}

void Locksets::find_released() {
  // What may be released, callees included.
  std::vector<CellSet*> released;
  for (const llvm::Function* function : model_.functions()) {
    CellSet& cells = summaries_[function].released;
    released.push_back(&cells);
    for (const llvm::CallBase* call : calls_.of(*function).calls) {
      const CallRow& row = calls_.of(*call);
      for (const LockUse& one : row.locks) {
        if (one.effect == LockEffect::kRelease) cells |= cells_of(model_, one.pointer, one.behind);
      }
      if (row.outside) cells |= outside_;
    }
  }
  calls_.close([&](unsigned caller, unsigned callee) { return *released[caller] |= *released[callee]; },
               [&] { return give_up(); });
}

bool Locksets::is_one(CellId cell) const {
  const MemoryId id = model_.points_to().object_of(cell);
  const MemoryObject& object = model_.points_to().objects().object(id);
  if (model_.points_to().objects().in_array(id, model_.points_to().offset_of(cell))) return false;
  switch (object.kind) {
    case MemoryKind::kGlobal:
      return !llvm::cast<llvm::GlobalVariable>(object.value)->isThreadLocal();
    case MemoryKind::kStack: {
      const auto* variable = llvm::dyn_cast<llvm::Instruction>(object.value);
      return variable != nullptr && classes_.runs_once(*variable->getFunction());
    }
    case MemoryKind::kHeap:
      return classes_.runs_once(*llvm::cast<llvm::Instruction>(object.value));
    default:
      return false;
  }
}

// A lock known by distance is released when the pointers may meet.
bool Locksets::may_be(const MustLock& lock, const CellSet& cells) const {
  if (cells.empty()) return true;  // not known which
  if (lock.cell != kNoCell) return cells.test(lock.cell);
  const PointsTo& points_to = model_.points_to();
  for (const CellId from : model_.memory(lock.base)) {
    const MemoryId object = points_to.object_of(from);
    const std::int64_t at = points_to.objects().normal_offset(object, points_to.offset_of(from) + lock.offset);
    const CellId cell = at < 0 ? kNoCell : points_to.objects().find_cell(object, at);
    if (cell != kNoCell && cells.test(points_to.canonical(cell))) return true;
  }
  return false;
}

void Locksets::release(const CellSet& cells, LockSet& held) const {
  for (auto lock = held.begin(); lock != held.end();) lock = may_be(*lock, cells) ? held.erase(lock) : std::next(lock);
}

std::optional<LockSet> Locksets::gained_by(const CallRow& row) const {
  std::optional<LockSet> common;
  if (row.declared) common = LockSet{};
  for (const llvm::Function* callee : row.bodies) {
    if (common && common->empty()) break;
    const auto summary = summaries_.find(callee);
    if (summary == summaries_.end() || !summary->second.known) continue;  // not seen to return yet
    if (!common) {
      common = summary->second.gained;
    } else {
      keep_common(*common, summary->second.gained);
    }
  }
  return common;
}

void Locksets::call(const llvm::CallBase& call, LockSet& held, LockSet* gained) {
  const CallRow& row = calls_.of(call);
  const auto [found, fresh] = passed_.try_emplace(&call);
  Passed& passed = found->second;
  if (fresh) {
    if (row.outside) passed.released |= outside_;
    for (const llvm::Function* callee : row.bodies) passed.released |= summaries_[callee].released;
  }
  LockSet now = by_cell(held);
  if (fresh || passed.held != now) {
    passed.held = std::move(now);
    changed_ = changed_ || !row.bodies.empty();
  }
  if (!passed.released.empty()) {
    release(passed.released, held);
    if (gained != nullptr) release(passed.released, *gained);
  }
  if (row.bodies.empty()) return;
  if (const std::optional<LockSet> common = gained_by(row)) {
    held.insert(common->begin(), common->end());
    if (gained != nullptr) gained->insert(common->begin(), common->end());
  }
}

void Locksets::step(const llvm::Instruction& instruction, LockSet& held, LockSet* gained) {
  // A pointer that is computed again is another pointer.
  for (auto lock = held.begin(); lock != held.end();)
    lock = lock->base == &instruction ? held.erase(lock) : std::next(lock);
  const auto* called = llvm::dyn_cast<llvm::CallBase>(&instruction);
  if (called == nullptr) return;
  for (const LockUse& one : calls_.of(*called).locks) {
    const CellSet& cells = cells_of(model_, one.pointer, one.behind);
    if (one.effect == LockEffect::kRelease) {
      release(cells, held);
      if (gained != nullptr) release(cells, *gained);
      continue;
    }
    const bool shared = one.effect == LockEffect::kAcquireShared;
    if (cells.count() == 1 && is_one(static_cast<CellId>(cells.find_first()))) {
      const MustLock lock{static_cast<CellId>(cells.find_first()), nullptr, 0, shared};
      held.insert(lock);
      if (gained != nullptr) gained->insert(lock);
    }
    if (!one.behind) {
      const BaseAndOffset from = base_of(model_, one.pointer);
      held.insert({kNoCell, from.base, from.offset, shared});
    }
  }
  // setjmp: whatever was released before the jump back.
  if (called->hasFnAttr(llvm::Attribute::ReturnsTwice)) {
    held.clear();
    if (gained != nullptr) gained->clear();
  }
  call(*called, held, gained);
}

bool Locksets::flow(const llvm::Function& function) {
  struct State {
    LockSet held;
    LockSet gained;
  };
  std::map<const llvm::BasicBlock*, State> out;
  std::optional<State> at_return;
  const llvm::ReversePostOrderTraversal<const llvm::Function*> order(&function);
  for (bool again = true; again;) {
    again = false;
    at_return.reset();
    for (const llvm::BasicBlock* block : order) {
      std::optional<State> state;
      if (block == &function.getEntryBlock()) state = State{entry_[&function], {}};
      for (const llvm::BasicBlock* before : llvm::predecessors(block)) {
        const auto found = out.find(before);
        if (found == out.end()) continue;
        State from = found->second;
        const auto* thrown = llvm::dyn_cast<llvm::InvokeInst>(before->getTerminator());
        if (thrown != nullptr && thrown->getUnwindDest() == block) keep_common(from.held, at(*thrown));
        if (!state) {
          state = std::move(from);
        } else {
          keep_common(state->held, from.held);
          keep_common(state->gained, from.gained);
        }
      }
      if (!state) continue;
      for (const llvm::Instruction& instruction : *block) {
        if (state->held.empty()) {
          at_.erase(&instruction);
        } else {
          at_[&instruction] = state->held;
        }
        step(instruction, state->held, &state->gained);
      }
      if (llvm::isa<llvm::ReturnInst>(block->getTerminator())) {
        if (!at_return) {
          at_return = *state;
        } else {
          keep_common(at_return->gained, state->gained);
        }
      }
      const auto found = out.find(block);
      if (found == out.end() || found->second.held != state->held || found->second.gained != state->gained) {
        out[block] = std::move(*state);
        again = true;
      }
    }
  }
  if (!at_return) return false;
  Summary& summary = summaries_[&function];
  if (summary.known && summary.gained == at_return->gained) return false;
  summary.known = true;
  summary.gained = at_return->gained;
  return true;
}

// What all calls seen so far hold; nullopt: there is none.
std::optional<LockSet> Locksets::entry_of(const llvm::Function& function) const {
  std::optional<LockSet> common;
  for (const llvm::CallBase* call : classes_.callers_of(function)) {
    if (common && common->empty()) break;
    const auto passed = passed_.find(call);
    if (passed == passed_.end()) continue;
    LockSet held = passed->second.held;
    const auto summary = summaries_.find(&function);
    if (calls_.of(*call).often && summary != summaries_.end() && !summary->second.released.empty())
      release(summary->second.released, held);
    if (!common) {
      common = std::move(held);
    } else {
      keep_common(*common, held);
    }
  }
  return common;
}

// Starts from "everything is held" (not entered yet) and only loses locks: the greatest solution.
void Locksets::run() {
  for (const llvm::Function* root : roots_) entered_.insert(root);
  stale_ = entered_;
  unsigned rounds = 0;
  do {
    changed_ = false;
    if (++rounds > kMostRounds) {
      at_.clear();  // nothing is held for certain
      return;
    }
    for (const llvm::Function* function : model_.functions()) {
      if (entered_.count(function) == 0 || stale_.erase(function) == 0) continue;
      if (give_up()) return;
      if (!flow(*function)) continue;
      changed_ = true;
      for (const llvm::CallBase* call : classes_.callers_of(*function)) stale_.insert(call->getFunction());
    }
    for (const llvm::Function* function : model_.functions()) {
      if (roots_.count(function) != 0) continue;  // with nothing
      std::optional<LockSet> common = entry_of(*function);
      if (!common || (!entered_.insert(function).second && entry_[function] == *common)) continue;
      entry_[function] = std::move(*common);
      stale_.insert(function);
      changed_ = true;
    }
  } while (changed_);
}

const LockSet& Locksets::at(const llvm::Instruction& instruction) const {
  const auto found = at_.find(&instruction);
  return found == at_.end() ? none_ : found->second;
}

}  // namespace ravel
