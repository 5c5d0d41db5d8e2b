// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Ravel authors
#include "statics/llvm/pointer_model.h"

#include <llvm/IR/Constants.h>
#include <llvm/IR/InstIterator.h>
#include <llvm/IR/Instructions.h>

#include <set>

namespace ravel {
namespace {

bool is_type_information(llvm::StringRef name) {
  return name.startswith("_ZTV") || name.startswith("_ZTT") || name.startswith("_ZTI") || name.startswith("_ZTS");
}

// Descriptions of types, which only the library reads, and tables that are defined elsewhere; characters and numbers.
bool is_blank(const llvm::GlobalVariable& variable) {
  const llvm::StringRef name = variable.getName();
  if (is_type_information(name)) return variable.isDeclaration() || name.startswith("_ZTI") || name.startswith("_ZTS");
  return variable.isConstant() && variable.hasInitializer() &&
         llvm::isa<llvm::ConstantDataSequential>(variable.getInitializer());
}

bool is_pair_of_words(const llvm::Type* type) {
  const auto* record = llvm::dyn_cast<llvm::StructType>(type);
  return record != nullptr && record->getNumElements() == 2 && record->getElementType(0)->isIntegerTy(64) &&
         record->getElementType(1)->isIntegerTy(64);
}

// A constant member pointer of a second base class: {function, distance of the base}.
bool is_adjusting_member_pointer(const llvm::Value* value) {
  const auto* constant = llvm::dyn_cast<llvm::ConstantStruct>(value);
  if (constant == nullptr) return false;
  if (!is_pair_of_words(constant->getType())) {
    for (const llvm::Use& part : constant->operands()) {
      if (is_adjusting_member_pointer(part)) return true;
    }
    return false;
  }
  const auto* distance = llvm::dyn_cast<llvm::ConstantInt>(constant->getOperand(1));
  return !llvm::isa<llvm::ConstantInt>(constant->getOperand(0)) && (distance == nullptr || !distance->isZero());
}

}  // namespace

// The second half of a member pointer, where all of the program's are of first base classes.
bool PointerModel::is_no_adjustment(const llvm::Value* index) const {
  const auto* half = llvm::dyn_cast<llvm::ExtractValueInst>(index);
  return half != nullptr && !adjusts_this_ && half->getNumIndices() == 1 && half->getIndices()[0] == 1 &&
         is_pair_of_words(half->getAggregateOperand()->getType());
}

PointerModel::PointerModel(llvm::Module& module)
    : module_(module), layout_(module.getDataLayout()), points_to_(module.getDataLayout()) {
  if (const llvm::GlobalVariable* list = module.getGlobalVariable("llvm.global_ctors")) {
    if (const auto* rows =
            llvm::dyn_cast_or_null<llvm::ConstantArray>(list->hasInitializer() ? list->getInitializer() : nullptr)) {
      for (const llvm::Use& row : rows->operands()) {
        const auto* function = llvm::dyn_cast_or_null<llvm::Function>(
            llvm::cast<llvm::Constant>(row.get())->getAggregateElement(1u)->stripPointerCasts());
        if (function == nullptr) continue;
        initialisers_.push_back(function);
        reach(function);
      }
    }
  }
  if (const llvm::Function* main = module.getFunction("main")) reach(main);
  for (const llvm::Function& function : module) {
    for (const llvm::Instruction& instruction : llvm::instructions(function)) {
      for (const llvm::Use& operand : instruction.operands()) adjusts_this_ |= is_adjusting_member_pointer(operand);
    }
  }
  for (const llvm::GlobalVariable& variable : module.globals()) {
    if (variable.hasInitializer()) adjusts_this_ |= is_adjusting_member_pointer(variable.getInitializer());
  }
}

bool PointerModel::carries_pointer(llvm::Type* type) const {
  // 64-bit integers: std::atomic of a pointer, halves of a member pointer, handles of threads.
  return type->isPointerTy() || type->isIntegerTy(64);
}

MemoryId PointerModel::object_of_global(const llvm::GlobalVariable& variable) {
  MemoryObject object;
  object.value = &variable;
  object.kind = MemoryKind::kGlobal;
  object.name = variable.getName().str();
  object.type = variable.getValueType();
  object.size = object.type->isSized() ? layout_.getTypeAllocSize(object.type).getFixedSize() : 0;
  object.constant = variable.isConstant() || is_type_information(variable.getName());
  object.exact = is_type_information(variable.getName());
  object.blank = is_blank(variable);
  if (object.blank) object.size = 0;
  return points_to_.new_object(std::move(object));
}

NodeId PointerModel::node(const llvm::Value* value) {
  const auto [found, fresh] = nodes_.try_emplace(value, 0);
  if (!fresh) return found->second;
  const NodeId id = points_to_.new_node();
  nodes_[value] = id;
  if (llvm::isa<llvm::Constant>(value)) read_constant(value, id);
  return id;
}

void PointerModel::read_constant(const llvm::Value* value, NodeId id) {
  if (const auto* variable = llvm::dyn_cast<llvm::GlobalVariable>(value)) {
    const MemoryId object = object_of_global(*variable);
    points_to_.point(id, points_to_.cell(object, 0));
    if (variable->hasInitializer() && !points_to_.objects().object(object).blank)
      initialise(object, 0, variable->getInitializer());
  } else if (const auto* function = llvm::dyn_cast<llvm::Function>(value)) {
    MemoryObject object;
    object.value = function;
    object.kind = MemoryKind::kFunction;
    object.name = function->getName().str();
    object.constant = true;
    points_to_.point(id, points_to_.cell(points_to_.new_object(std::move(object)), 0));
  } else if (const auto* alias = llvm::dyn_cast<llvm::GlobalAlias>(value)) {
    points_to_.copy(node(alias->getAliasee()), id);
  } else if (const auto* expression = llvm::dyn_cast<llvm::ConstantExpr>(value)) {
    if (const auto* offset = llvm::dyn_cast<llvm::GEPOperator>(expression)) {
      read_offset(*offset, node(offset->getPointerOperand()), id);
    } else {
      for (const llvm::Use& operand : expression->operands()) points_to_.copy(node(operand), id);
    }
  } else if (const auto* record = llvm::dyn_cast<llvm::ConstantAggregate>(value)) {
    for (const llvm::Use& operand : record->operands()) points_to_.copy(node(operand), id);
  }
}

void PointerModel::initialise(MemoryId object, std::int64_t offset, const llvm::Constant* value) {
  llvm::Type* type = value->getType();
  if (llvm::isa<llvm::ConstantAggregateZero>(value) || llvm::isa<llvm::UndefValue>(value)) return;
  if (carries_pointer(type)) {
    if (llvm::isa<llvm::ConstantPointerNull>(value) || llvm::isa<llvm::ConstantInt>(value)) return;
    const CellId cell = points_to_.cell(object, offset);
    if (cell != kNoCell) points_to_.copy(node(value), cell);
  } else if (auto* record = llvm::dyn_cast<llvm::StructType>(type)) {
    const auto* fields = layout_.getStructLayout(record);
    for (unsigned i = 0; i < record->getNumElements(); ++i) {
      if (const llvm::Constant* field = value->getAggregateElement(i))
        initialise(object, offset + static_cast<std::int64_t>(fields->getElementOffset(i)), field);
    }
  } else if (auto* array = llvm::dyn_cast<llvm::ArrayType>(type)) {
    if (llvm::isa<llvm::ConstantDataSequential>(value)) return;
    const auto size = static_cast<std::int64_t>(layout_.getTypeAllocSize(array->getElementType()).getFixedSize());
    for (std::uint64_t i = 0; i < array->getNumElements(); ++i) {
      if (const llvm::Constant* element = value->getAggregateElement(static_cast<unsigned>(i)))
        initialise(object, offset + static_cast<std::int64_t>(i) * size, element);
    }
  }
}

void PointerModel::reach(const llvm::Function* function) {
  if (reached_.insert(function).second && !function->isDeclaration()) waiting_.push_back(function);
}

void PointerModel::read(const llvm::Function& function) {
  functions_.push_back(&function);
  for (const llvm::Instruction& instruction : llvm::instructions(function)) read_instruction(instruction);
}

void PointerModel::solve(std::chrono::nanoseconds deadline) {
  for (;;) {
    while (!waiting_.empty()) {
      const llvm::Function* function = waiting_.back();
      waiting_.pop_back();
      read(*function);
    }
    points_to_.solve(deadline);
    if (waiting_.empty() && !call_from_outside()) return;
  }
}

CellSet PointerModel::without_constants(const CellSet& cells) const {
  CellSet kept;
  for (const CellId cell : cells) {
    const MemoryObject& object = points_to_.objects().object(points_to_.object_of(cell));
    if (!object.constant && object.kind != MemoryKind::kThread) kept.set(cell);
  }
  return kept;
}

CellSet PointerModel::held_by(const llvm::Value* value) const {
  const auto found = nodes_.find(value);
  return found == nodes_.end() ? CellSet{} : points_to_.targets(found->second);
}

template <class Make>
const CellSet& PointerModel::known_set(SetByClass& known, const llvm::Value* pointer, const Make& make) const {
  static const CellSet kNothing;
  const auto found = nodes_.find(pointer);
  if (found == nodes_.end()) return kNothing;
  const auto [set, fresh] = known.try_emplace(points_to_.class_of(found->second));
  if (fresh) set->second = without_constants(make());
  return set->second;
}

const CellSet& PointerModel::memory(const llvm::Value* pointer) const {
  return known_set(memory_, pointer, [&] { return held_by(pointer); });
}

const CellSet& PointerModel::memory_behind(const llvm::Value* pointer) const {
  return known_set(memory_behind_, pointer, [&] { return held_behind(pointer); });
}

CellSet PointerModel::held_behind(const llvm::Value* pointer) const {
  CellSet all;
  std::set<NodeId> known;
  for (const CellId cell : memory(pointer)) {
    if (known.insert(points_to_.class_of(cell)).second) all |= points_to_.targets(cell);
  }
  return all;
}

const std::set<const llvm::Function*>& PointerModel::callees(const llvm::CallBase& call) const {
  const auto found = callees_.find(&call);
  return found == callees_.end() ? no_callees_ : found->second;
}

const llvm::Function* PointerModel::function_at(CellId cell) const {
  const MemoryObject& object = points_to_.objects().object(points_to_.object_of(cell));
  if (object.kind != MemoryKind::kFunction) return nullptr;
  const auto* function = llvm::cast<llvm::Function>(object.value);
  return function->getName() == "__cxa_pure_virtual" ? nullptr : function;
}

}  // namespace ravel
