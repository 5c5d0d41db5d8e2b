// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Ravel authors
#include "statics/llvm/operations.h"

#include <llvm/IR/InlineAsm.h>
#include <llvm/IR/Instructions.h>

#include <limits>
#include <set>

namespace ravel {
namespace {

constexpr std::int64_t kAll = std::numeric_limits<int>::max();

// What a call may do: through a pointer, one of several.
std::set<LibraryCall> library_calls_of(const PointerModel& model, const llvm::CallBase& call) {
  std::set<LibraryCall> kinds;
  for (const llvm::Function* callee : model.callees(call)) {
    const LibraryCall kind = library_call(callee->getName());
    const bool method = kind == LibraryCall::kMethod || kind == LibraryCall::kConstMethod;
    if (kind != LibraryCall::kUnknown && !(method && !callee->isDeclaration())) kinds.insert(kind);
  }
  return kinds;
}

// What it does for certain; kUnknown: nothing.
LibraryCall certain_call(const PointerModel& model, const llvm::CallBase& call) {
  const std::set<LibraryCall> kinds = library_calls_of(model, call);
  return model.callees(call).size() == 1 && kinds.size() == 1 ? *kinds.begin() : LibraryCall::kUnknown;
}

bool holds_unique_lock(const llvm::Value* argument) {
  auto* type = llvm::dyn_cast<llvm::PointerType>(argument->getType());
  auto* record = type == nullptr ? nullptr : llvm::dyn_cast<llvm::StructType>(type->getPointerElementType());
  return record != nullptr && record->hasName() && record->getName().contains("unique_lock");
}

// Functions that touch what all of their pointer arguments point to.
void add_pointers(std::vector<Operation>& list, const llvm::CallBase& call, LibraryCall kind) {
  constexpr std::int64_t kLinks = 32;  // bytes of a string object, or of the links of a node
  for (unsigned i = 0; i < call.arg_size(); ++i) {
    const llvm::Value* pointer = call.getArgOperand(i);
    if (!pointer->getType()->isPointerTy()) continue;
    list.push_back({SiteKind::kRead, pointer, kind == LibraryCall::kReadString ? kAll : kLinks, false, nullptr, false});
    const bool nodes = kind == LibraryCall::kLinkNodes;
    if (nodes || (kind == LibraryCall::kMethod && i == 0))
      list.push_back({SiteKind::kWrite, pointer, kLinks, false, nullptr, false});
    if (!nodes) continue;
    // The neighbours too.
    list.push_back({SiteKind::kRead, pointer, kLinks, true, nullptr, false});
    list.push_back({SiteKind::kWrite, pointer, kLinks, true, nullptr, false});
  }
}

void add_call(std::vector<Operation>& list, const llvm::CallBase& call, LibraryCall kind) {
  const auto add = [&](SiteKind does, unsigned argument, std::int64_t bytes = 1) {
    list.push_back({does, call.getArgOperand(argument), bytes, false, nullptr, false});
  };
  const auto length = [&](unsigned argument) {
    const auto* size = llvm::dyn_cast<llvm::ConstantInt>(call.getArgOperand(argument));
    return size == nullptr ? kAll : size->getSExtValue();
  };
  switch (kind) {
    case LibraryCall::kCopyMemory:
      add(SiteKind::kWrite, 0, length(2));
      add(SiteKind::kRead, 1, length(2));
      break;
    case LibraryCall::kSetMemory:
      add(SiteKind::kWrite, 0, length(2));
      break;
    case LibraryCall::kCopyString:
      add(SiteKind::kWrite, 0, kAll);
      add(SiteKind::kRead, 1, kAll);
      break;
    case LibraryCall::kReadString:
    case LibraryCall::kLinkNodes:
    case LibraryCall::kMethod:
    case LibraryCall::kConstMethod:
      add_pointers(list, call, kind);
      break;
    case LibraryCall::kLock:
    case LibraryCall::kTryLock:
      add(SiteKind::kLock, 0);
      break;
    case LibraryCall::kReadLock:
    case LibraryCall::kTryReadLock:
      add(SiteKind::kReadLock, 0);
      break;
    case LibraryCall::kLockSeveral:
      for (const llvm::Use& lock : call.args()) {
        list.push_back({SiteKind::kLock, lock, 1, holds_unique_lock(lock), nullptr, false});
      }
      break;
    case LibraryCall::kWait:
      list.push_back({SiteKind::kWait, call.getArgOperand(0), 1, false, call.getArgOperand(1), false});
      break;
    case LibraryCall::kWaitUnique:
      list.push_back({SiteKind::kWait, call.getArgOperand(0), 1, false, call.getArgOperand(1), true});
      break;
    case LibraryCall::kNotify:
      add(SiteKind::kNotify, 0);
      break;
    default:
      break;
  }
}

// Assembly with operands in memory is an atomic operation as a rule (ADR 0014), and may write each of them. Without
// text it is a fence for the compiler.
void add_assembly(std::vector<Operation>& list, const llvm::DataLayout& layout, const llvm::CallBase& call) {
  if (llvm::cast<llvm::InlineAsm>(call.getCalledOperand())->getAsmString().empty()) return;
  for (const llvm::Use& argument : call.args()) {
    const auto* pointer = llvm::dyn_cast<llvm::PointerType>(argument->getType());
    if (pointer == nullptr || pointer->isOpaque()) continue;
    llvm::Type* type = pointer->getNonOpaquePointerElementType();
    const std::int64_t bytes =
        type->isSized() ? static_cast<std::int64_t>(layout.getTypeStoreSize(type).getFixedSize()) : 1;
    list.push_back({SiteKind::kAtomicWrite, argument, bytes, false, nullptr, false});
  }
}

}  // namespace

std::vector<Operation> operations_of(const PointerModel& model, const llvm::Instruction& instruction) {
  std::vector<Operation> list;
  const llvm::DataLayout& layout = model.module().getDataLayout();
  const auto size = [&](llvm::Type* type) {
    return static_cast<std::int64_t>(layout.getTypeStoreSize(type).getFixedSize());
  };
  const auto add = [&](SiteKind kind, const llvm::Value* pointer, llvm::Type* type) {
    list.push_back({kind, pointer, size(type), false, nullptr, false});
  };
  if (const auto* load = llvm::dyn_cast<llvm::LoadInst>(&instruction)) {
    add(load->isAtomic() ? SiteKind::kAtomicRead : SiteKind::kRead, load->getPointerOperand(), load->getType());
  } else if (const auto* store = llvm::dyn_cast<llvm::StoreInst>(&instruction)) {
    add(store->isAtomic() ? SiteKind::kAtomicWrite : SiteKind::kWrite, store->getPointerOperand(),
        store->getValueOperand()->getType());
  } else if (const auto* swap = llvm::dyn_cast<llvm::AtomicCmpXchgInst>(&instruction)) {
    add(SiteKind::kAtomicWrite, swap->getPointerOperand(), swap->getNewValOperand()->getType());
  } else if (const auto* update = llvm::dyn_cast<llvm::AtomicRMWInst>(&instruction)) {
    add(SiteKind::kAtomicWrite, update->getPointerOperand(), update->getType());
  } else if (const auto* call = llvm::dyn_cast<llvm::CallBase>(&instruction)) {
    if (call->isInlineAsm()) {
      add_assembly(list, layout, *call);
    } else {
      for (const LibraryCall kind : library_calls_of(model, *call)) add_call(list, *call, kind);
    }
  }
  return list;
}

std::vector<LockUse> lock_steps_of(const PointerModel& model, const llvm::Instruction& instruction) {
  const auto* call = llvm::dyn_cast<llvm::CallBase>(&instruction);
  if (call == nullptr) return {};
  std::vector<LockUse> steps;
  if (library_calls_of(model, *call).count(LibraryCall::kUnlock) != 0)
    steps.push_back({LockEffect::kRelease, call->getArgOperand(0), false});
  switch (certain_call(model, *call)) {
    case LibraryCall::kLock:
      steps.push_back({LockEffect::kAcquire, call->getArgOperand(0), false});
      break;
    case LibraryCall::kReadLock:
      steps.push_back({LockEffect::kAcquireShared, call->getArgOperand(0), false});
      break;
    case LibraryCall::kLockSeveral:
      for (const llvm::Use& lock : call->args()) steps.push_back({LockEffect::kAcquire, lock, holds_unique_lock(lock)});
      break;
    default:
      break;
  }
  return steps;
}

const CellSet& cells_of(const PointerModel& model, const llvm::Value* pointer, bool behind) {
  return behind ? model.memory_behind(pointer) : model.memory(pointer);
}

CellSet joined_by(const PointerModel& model, const llvm::CallBase& call) {
  switch (certain_call(model, call)) {
    case LibraryCall::kJoinValue:
      return model.held_by(call.getArgOperand(0));
    case LibraryCall::kJoinPointer:
      return model.held_behind(call.getArgOperand(0));
    case LibraryCall::kJoinJthread: {
      CellSet held;
      const MemoryObjects& objects = model.points_to().objects();
      for (const CellId cell : model.memory(call.getArgOperand(0))) {
        const MemoryId object = model.points_to().object_of(cell);
        const std::int64_t at = objects.normal_offset(object, model.points_to().offset_of(cell) + 8);
        const CellId handle = at < 0 ? kNoCell : objects.find_cell(object, at);
        if (handle != kNoCell) held |= model.held_in(handle);
      }
      return held;
    }
    default:
      return {};
  }
}

}  // namespace ravel
