// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Ravel authors
//
// Code outside the module: libraries without bitcode, files that were not compiled. What it is given it may keep and
// give back; functions that it can reach from there it may call, at once and in threads of its own (ADR 0068).
#include <dlfcn.h>

#include "statics/llvm/pointer_model.h"

namespace ravel {
namespace {

// Functions of the C and C++ library that library_calls.h has no row for: they keep nothing and start no thread. The
// tool itself runs with these libraries, so the loader knows what is theirs.
bool is_of_the_system(llvm::StringRef name) {
  if (name.startswith("_ZNSt") || name.startswith("_ZNKSt") || name.startswith("_ZSt") || name.startswith("_ZNS") ||
      name.startswith("_ZNKS") || name.startswith("_Zd"))
    return true;
  if (name.startswith("_Z") || name == "dlsym" || name == "dlvsym") return false;
  if (name.startswith("__") || name.startswith("ravel_") || name.startswith("Annotate"))
    return true;                                                        // the compiler's; marks for Ravel and its like
  static void* const kLibraries = dlopen("libstdc++.so.6", RTLD_LAZY);  // with those it needs
  return kLibraries != nullptr && dlsym(kLibraries, name.str().c_str()) != nullptr;
}

}  // namespace

void PointerModel::link_unknown(const llvm::CallBase& call, const llvm::Function& callee) {
  if (callee.isIntrinsic()) return;
  const bool system = is_of_the_system(callee.getName());
  const bool returns = carries_pointer(call.getType());
  for (const llvm::Use& argument : call.args()) {
    if (!carries_pointer(argument->getType()) || llvm::isa<llvm::ConstantData>(argument)) continue;
    if (returns) points_to_.copy(node(argument), node(&call));
    call_back(call, node(argument), LibraryCall::kCallsNow);
    if (system) continue;
    points_to_.copy(node(argument), outside_holds());
    for (const llvm::Use& other : call.args()) {
      if (other->getType()->isPointerTy()) points_to_.store(node(argument), node(other));
    }
  }
  if (system) return return_static_memory(call, callee);
  opaque_.insert(callee.getName().str());
  outside_calls_.push_back(&call);
  if (returns) points_to_.copy(outside_holds(), node(&call));
}

// Memory of the C library, one object per function: localtime returns the same for every call. Names with two
// underscores are the compiler's, or like __errno_location each thread's own.
void PointerModel::return_static_memory(const llvm::CallBase& call, const llvm::Function& callee) {
  if (!call.getType()->isPointerTy() || callee.getName().startswith("_")) return;
  const auto [found, fresh] = static_memory_.try_emplace(&callee, 0);
  if (fresh) {
    MemoryObject object;
    object.kind = MemoryKind::kOpaque;
    object.name = callee.getName().str();
    found->second = points_to_.new_node();
    points_to_.point(found->second, points_to_.cell(points_to_.new_object(std::move(object)), 0));
  }
  points_to_.copy(found->second, node(&call));
}

bool PointerModel::may_be_rethrown(const MemoryObject& object) const {
  const auto* made = llvm::dyn_cast_or_null<llvm::CallBase>(object.value);
  const llvm::Function* callee = made == nullptr ? nullptr : made->getCalledFunction();
  return callee != nullptr && callee->getName() == "__cxa_allocate_exception" &&
         module_.getFunction("_ZSt17rethrow_exceptionNSt15__exception_ptr13exception_ptrE") != nullptr;
}

NodeId PointerModel::outside_holds() {
  return common(outside_);
}

CellSet PointerModel::outside_cells() const {
  CellSet cells;
  if (outside_ == kNoCell) return cells;
  std::set<MemoryId> objects;
  for (const CellId given : points_to_.targets(outside_)) objects.insert(points_to_.object_of(given));
  for (const MemoryId object : objects) {
    for (const auto& [offset, cell] : points_to_.objects().object(object).cells) cells.set(points_to_.canonical(cell));
  }
  return cells;
}

// The cells of an argument: a pointer to a member leads to that member, a pointer to bytes to the whole object.
void PointerModel::add_given(const llvm::Value& argument, std::vector<CellId>& found) const {
  const auto* pointer = llvm::dyn_cast<llvm::PointerType>(argument.getType());
  llvm::Type* type = pointer == nullptr || pointer->isOpaque() ? nullptr : pointer->getNonOpaquePointerElementType();
  const bool bounded = type != nullptr && type->isSized() && !type->isIntegerTy(8);
  for (const CellId cell : held_by(&argument)) {
    const MemoryId object = points_to_.object_of(cell);
    const std::int64_t begin = points_to_.offset_of(cell);
    const bool part = bounded && !points_to_.objects().in_array(object, begin);
    const auto end = part ? begin + static_cast<std::int64_t>(layout_.getTypeAllocSize(type).getFixedSize()) : 0;
    for (const auto& [offset, inside] : points_to_.objects().object(object).cells) {
      if (!part || (offset >= begin && offset < end)) found.push_back(inside);
    }
  }
}

// Whatever memory leads to from what was given. True: there are functions that were not known yet.
bool PointerModel::call_from_outside() {
  std::vector<CellId> waiting;
  for (const llvm::CallBase* call : outside_calls_) {
    for (const llvm::Use& argument : call->args()) {
      if (carries_pointer(argument->getType())) add_given(*argument, waiting);
    }
  }
  std::set<CellId> cells;
  std::set<MemoryId> whole;
  bool grew = false;
  while (!waiting.empty()) {
    const CellId cell = waiting.back();
    waiting.pop_back();
    if (!cells.insert(cell).second) continue;
    if (const llvm::Function* function = function_at(cell)) {
      if (!function->isDeclaration() && outside_entries_.insert(function).second) {
        start_outside(*function);
        grew = true;
      }
      continue;
    }
    for (const CellId target : points_to_.targets(cell)) {
      points_to_.point(outside_holds(), target);
      const MemoryId object = points_to_.object_of(target);
      if (!whole.insert(object).second) continue;
      for (const auto& [offset, inside] : points_to_.objects().object(object).cells) waiting.push_back(inside);
    }
  }
  return grew;
}

// No call is made of it: where the calls' own threads run it, threads of the code outside run the same lines.
void PointerModel::start_outside(const llvm::Function& function) {
  reach(&function);
  for (const llvm::Argument& parameter : function.args()) {
    if (carries_pointer(parameter.getType())) points_to_.copy(outside_holds(), node(&parameter));
  }
}

}  // namespace ravel
