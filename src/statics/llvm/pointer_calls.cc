// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Ravel authors
//
// What calls do with pointers: callees, library functions, callbacks, threads.
#include <aio.h>
#include <llvm/IR/InlineAsm.h>
#include <llvm/IR/InstIterator.h>
#include <llvm/IR/IntrinsicInst.h>
#include <llvm/Transforms/Utils/Cloning.h>
#include <signal.h>

#include <cstddef>
#include <limits>

#include "statics/llvm/places.h"
#include "statics/llvm/pointer_model.h"

namespace ravel {

void PointerModel::read_call(const llvm::CallBase& call) {
  const llvm::Value* callee = call.getCalledOperand()->stripPointerCastsAndAliases();
  if (const auto* function = llvm::dyn_cast<llvm::Function>(callee)) {
    link(call, *function);
  } else if (llvm::isa<llvm::InlineAsm>(callee)) {
    read_assembly(call);
  } else {
    points_to_.watch(node(call.getCalledOperand()), [this, &call](CellId cell) {
      const llvm::Function* target = function_at(cell);
      // A function that wants more than it is given is not meant: pointers were merged.
      if (target != nullptr && target->arg_size() <= call.arg_size()) link(call, *target);
    });
  }
}

// Assembly may move whatever it is given between its operands, its result and the memory behind them: atomics, mostly.
void PointerModel::read_assembly(const llvm::CallBase& call) {
  for (const llvm::Use& argument : call.args()) {
    if (!carries_pointer(argument->getType()) || llvm::isa<llvm::ConstantData>(argument)) continue;
    points_to_.copy(node(argument), node(&call));
    if (!argument->getType()->isPointerTy()) continue;
    points_to_.load(node(argument), node(&call));
    for (const llvm::Use& other : call.args()) {
      if (carries_pointer(other->getType()) && other.get() != argument.get() && !llvm::isa<llvm::ConstantData>(other))
        points_to_.store(node(other), node(argument));
    }
  }
}

void PointerModel::pass_arguments(const llvm::CallBase& call, const llvm::Function& callee) {
  unsigned i = 0;
  for (const llvm::Argument& parameter : callee.args()) {
    if (i >= call.arg_size()) break;
    const llvm::Value* argument = call.getArgOperand(i++);
    if (llvm::isa<llvm::ConstantData>(argument)) continue;
    if (call.isByValArgument(i - 1)) {
      // The callee has a copy of its own.
      llvm::Type* type = call.getParamByValType(i - 1);
      MemoryObject object;
      object.value = &parameter;
      object.kind = MemoryKind::kStack;
      object.name = (callee.getName() + ":" + parameter.getName()).str();
      object.type = type;
      object.size = layout_.getTypeAllocSize(type).getFixedSize();
      const NodeId copy = node(&parameter);
      points_to_.point(copy, points_to_.cell(points_to_.new_object(object), 0));
      points_to_.copy_memory(node(argument), copy, static_cast<std::int64_t>(object.size));
    } else {
      points_to_.copy(node(argument), node(&parameter));
    }
  }
}

void PointerModel::link(const llvm::CallBase& call, const llvm::Function& callee) {
  if (!callees_[&call].insert(&callee).second) return;
  if (link_library(call, callee)) return;
  if (callee.isDeclaration()) return link_unknown(call, callee);
  reach(&callee);
  pass_arguments(call, callee);
  const auto [result, fresh] = results_.try_emplace(&callee, 0);
  if (fresh) result->second = points_to_.new_node();
  points_to_.copy(result->second, node(&call));
}

void PointerModel::allocate(const llvm::CallBase& call, const llvm::Function& callee, bool into) {
  MemoryObject object;
  object.value = &call;
  object.kind = MemoryKind::kHeap;
  object.name = "allocated";
  if (callee.getName().startswith("_Zn") || callee.getName() == "malloc") {
    if (const auto* size = llvm::dyn_cast<llvm::ConstantInt>(call.getArgOperand(0))) object.size = size->getZExtValue();
  }
  const CellId cell = points_to_.cell(points_to_.new_object(std::move(object)), 0);
  if (into) {
    const NodeId made = points_to_.new_node();
    points_to_.point(made, cell);
    points_to_.store(made, node(call.getArgOperand(0)));
    return;
  }
  points_to_.point(node(&call), cell);
  if (callee.getName() == "__cxa_allocate_exception") points_to_.copy(node(&call), common(thrown_));
  if (callee.getName() == "realloc" || callee.getName() == "reallocarray" || callee.getName() == "mremap")
    points_to_.copy_memory(node(call.getArgOperand(0)), node(&call), std::numeric_limits<int>::max());
}

// Nodes of lists and trees: each may be stored in the links of each.
void PointerModel::link_nodes(const llvm::CallBase& call) {
  constexpr std::int64_t kLinks = 32;
  for (const llvm::Use& node_of : call.args()) {
    if (!node_of->getType()->isPointerTy()) continue;
    for (const llvm::Use& stored : call.args()) {
      if (!stored->getType()->isPointerTy()) continue;
      for (std::int64_t field = 0; field < kLinks; field += 8) {
        const NodeId place = points_to_.new_node();
        points_to_.offset(node(node_of), place, field, 0);
        points_to_.store(node(stored), place);
      }
    }
    points_to_.copy(node(node_of), node(&call));
  }
}

void PointerModel::call_once(const llvm::CallBase& call) {
  call_back(call, node(call.getArgOperand(1)), LibraryCall::kCallsNow);
  // std::call_once hands its function over in a thread-local variable.
  const llvm::GlobalVariable* handed = module_.getGlobalVariable("_ZSt11__once_call");
  const llvm::Value* function = call.getArgOperand(1)->stripPointerCasts();
  if (handed == nullptr || function->getName() != "__once_proxy") return;
  const NodeId target = points_to_.new_node();
  points_to_.load(node(handed), target);
  call_back(call, target, LibraryCall::kCallsNow);
}

NodeId PointerModel::common(NodeId& which) {
  if (which == kNoCell) which = points_to_.new_node();
  return which;
}

// Values that the library keeps between two calls.
bool PointerModel::link_values(const llvm::CallBase& call, LibraryCall kind) {
  switch (kind) {
    case LibraryCall::kSetSpecific:
      points_to_.copy(node(call.getArgOperand(1)), common(specific_));
      return true;
    case LibraryCall::kGetSpecific:
      points_to_.copy(common(specific_), node(&call));
      return true;
    case LibraryCall::kEndThread:
      points_to_.copy(node(call.getArgOperand(0)), common(ended_));
      return true;
    case LibraryCall::kJoinValue:
      if (call.arg_size() > 1 && call.getArgOperand(1)->getType()->isPointerTy())
        points_to_.store(common(ended_), node(call.getArgOperand(1)));
      return true;
    case LibraryCall::kThrow:
      points_to_.copy(node(call.getArgOperand(0)), common(thrown_));
      return true;
    case LibraryCall::kCatch:
      points_to_.copy(common(thrown_), node(&call));
      return true;
    default:
      return false;
  }
}

bool PointerModel::link_library(const llvm::CallBase& call, const llvm::Function& callee) {
  const LibraryCall kind = library_call(callee.getName());
  const auto argument = [&](unsigned i) { return node(call.getArgOperand(i)); };
  switch (kind) {
    case LibraryCall::kAllocate:
    case LibraryCall::kAllocateInto:
      allocate(call, callee, kind == LibraryCall::kAllocateInto);
      return true;
    case LibraryCall::kCopyMemory: {
      std::int64_t bytes = std::numeric_limits<int>::max();
      if (const auto* size = llvm::dyn_cast<llvm::ConstantInt>(call.getArgOperand(2))) bytes = size->getSExtValue();
      if (bytes >= 8) points_to_.copy_memory(argument(1), argument(0), bytes);
      points_to_.copy(argument(0), node(&call));
      return true;
    }
    case LibraryCall::kLinkNodes:
      link_nodes(call);
      return true;
    case LibraryCall::kCreatePosix:
    case LibraryCall::kCreateC:
    case LibraryCall::kCreateStd:
      create(call, kind);
      return true;
    case LibraryCall::kCreateNotified:
      create_notified(call);
      return true;
    case LibraryCall::kOnce:
      call_once(call);
      return true;
    case LibraryCall::kCallsNow:
    case LibraryCall::kCallsLater:
    case LibraryCall::kCallsAnywhere:
      for (unsigned i = 0; i < call.arg_size(); ++i) {
        if (!call.getArgOperand(i)->getType()->isPointerTy()) continue;
        call_back(call, argument(i), kind);
        if (callee.getName() != "sigaction") continue;
        const NodeId handler = points_to_.new_node();
        points_to_.load(argument(i), handler);
        call_back(call, handler, kind);
      }
      return true;
    case LibraryCall::kMethod:
    case LibraryCall::kConstMethod:
      if (!callee.isDeclaration()) return false;
      // The characters are a part of the string, wherever they are kept.
      if (kind == LibraryCall::kMethod) points_to_.store(argument(0), argument(0));
      if (call.getType()->isPointerTy()) points_to_.copy(argument(0), node(&call));
      return true;
    case LibraryCall::kUnknown:
      return false;
    default:
      if (link_values(call, kind)) return true;
      if (call.arg_size() != 0 && call.getType()->isPointerTy() && call.getArgOperand(0)->getType()->isPointerTy())
        points_to_.copy(argument(0), node(&call));
      return true;
  }
}

void PointerModel::call_back(const llvm::CallBase& call, NodeId function, LibraryCall when) {
  points_to_.watch(function, [this, &call, when](CellId cell) {
    const llvm::Function* target = function_at(cell);
    if (target == nullptr || target->isDeclaration()) return;
    if (when == LibraryCall::kCallsLater) {
      late_.insert(target);
    } else if (when == LibraryCall::kCallsAnywhere) {
      anywhere_.insert(target);
    } else {
      callees_[&call].insert(target);
    }
    reach(target);
    for (const llvm::Argument& parameter : target->args()) {
      if (when == LibraryCall::kCallsAnywhere) points_to_.copy(common(specific_), node(&parameter));
      for (const llvm::Use& argument : call.args()) {
        if (argument->getType()->isPointerTy()) points_to_.copy(node(argument), node(&parameter));
      }
    }
  });
}

void PointerModel::create(const llvm::CallBase& call, LibraryCall kind) {
  MemoryObject thread;
  thread.value = &call;
  thread.kind = MemoryKind::kThread;
  thread.name = "thread";
  const MemoryId object = points_to_.new_object(std::move(thread));
  threads_[&call] = object;
  const NodeId handle = points_to_.new_node();
  points_to_.point(handle, points_to_.cell(object, 0));
  points_to_.store(handle, node(call.getArgOperand(0)));
  if (kind != LibraryCall::kCreateStd) {
    const unsigned at = kind == LibraryCall::kCreatePosix ? 2 : 1;
    const NodeId argument = node(call.getArgOperand(at + 1));
    points_to_.watch(node(call.getArgOperand(at)), [this, &call, argument](CellId cell) {
      const llvm::Function* entry = function_at(cell);
      if (entry != nullptr && entry->arg_size() <= 1) start_thread(call, *entry, argument);
    });
    return;
  }
  // unique_ptr -> state -> table of virtual functions -> _M_run, the third slot behind the address point.
  const NodeId state = points_to_.new_node();
  const NodeId table = points_to_.new_node();
  const NodeId slot = points_to_.new_node();
  const NodeId run = points_to_.new_node();
  points_to_.load(node(call.getArgOperand(1)), state);
  points_to_.load(state, table);
  points_to_.offset(table, slot, 16, 0);
  points_to_.load(slot, run);
  points_to_.watch(run, [this, &call, state](CellId cell) {
    const llvm::Function* entry = function_at(cell);
    if (entry != nullptr && entry->getName().endswith("_M_runEv")) start_thread(call, *entry, state);
  });
}

void PointerModel::create_notified(const llvm::CallBase& call) {
  MemoryObject thread;
  thread.value = &call;
  thread.kind = MemoryKind::kThread;
  thread.name = "thread";
  threads_[&call] = points_to_.new_object(std::move(thread));
  const auto start = [&](NodeId event) {
    const NodeId place = points_to_.new_node();
    const NodeId function = points_to_.new_node();
    const NodeId value = points_to_.new_node();
    points_to_.offset(event, place, offsetof(sigevent, sigev_notify_function), 0);
    points_to_.load(place, function);
    points_to_.load(event, value);
    points_to_.watch(function, [this, &call, value](CellId cell) {
      const llvm::Function* entry = function_at(cell);
      if (entry != nullptr && entry->arg_size() <= 1) start_thread(call, *entry, value, true);
    });
  };
  // An argument is a sigevent, an aiocb with one inside, or a list of these: the function tells which.
  for (const llvm::Use& argument : call.args()) {
    if (!argument->getType()->isPointerTy()) continue;
    const NodeId listed = points_to_.new_node();
    points_to_.load(node(argument), listed);
    for (const NodeId request : {node(argument), listed}) {
      const NodeId inside = points_to_.new_node();
      points_to_.offset(request, inside, offsetof(aiocb, aio_sigevent), 0);
      start(request);
      start(inside);
    }
  }
}

const llvm::CallBase* PointerModel::origin_of(const llvm::CallBase& call) const {
  const auto found = origins_.find(&call);
  return found == origins_.end() ? &call : found->second;
}

llvm::Function* PointerModel::copy_entry(llvm::Function& entry) {
  llvm::ValueToValueMapTy values;
  llvm::Function* copy = llvm::CloneFunction(&entry, values);
  for (const llvm::Instruction& instruction : llvm::instructions(entry)) {
    const auto* call = llvm::dyn_cast<llvm::CallBase>(&instruction);
    if (call == nullptr) continue;
    if (const auto* copied = llvm::dyn_cast_or_null<llvm::CallBase>(static_cast<llvm::Value*>(values.lookup(call))))
      origins_[copied] = origin_of(*call);
  }
  return copy;
}

void PointerModel::start_thread(const llvm::CallBase& call, const llvm::Function& entry, NodeId argument, bool again) {
  if (entry.isDeclaration()) {
    opaque_.insert(entry.getName().str());
    return;
  }
  const auto [started, fresh] = started_.try_emplace({&call, &entry}, creations_.size());
  if (!fresh) return;
  auto* function = const_cast<llvm::Function*>(&entry);
  // A thread that starts its like does so by a copy of one call: that makes no further copy, or there would be no end.
  const auto [copied, first] = copies_.try_emplace({origin_of(call), &entry}, function);
  if (!first) {
    function = copied->second;
  } else if (!points_to_.coarse() && (!entries_.insert(&entry).second || reached_.count(&entry) != 0)) {
    function = copied->second = copy_entry(*function);
  }
  creations_.push_back({&call, function, &entry, threads_[&call], again});
  reach(function);
  const auto [result, first_result] = results_.try_emplace(function, 0);
  if (first_result) result->second = points_to_.new_node();
  points_to_.copy(result->second, common(ended_));
  if (!function->arg_empty()) points_to_.copy(argument, node(function->getArg(0)));
}

}  // namespace ravel
