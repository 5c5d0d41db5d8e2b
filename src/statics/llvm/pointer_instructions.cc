// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Ravel authors
//
// What single instructions do with pointers.
#include <llvm/IR/GetElementPtrTypeIterator.h>
#include <llvm/IR/Instructions.h>
#include <llvm/IR/IntrinsicInst.h>

#include "statics/llvm/pointer_model.h"

namespace ravel {
namespace {

// Arithmetic keeps a pointer only in masks and tags: a mark in its low bits, taken off again.
bool keeps_pointer(const llvm::Instruction& instruction) {
  if (!llvm::isa<llvm::BinaryOperator>(instruction)) return false;
  switch (instruction.getOpcode()) {
    case llvm::Instruction::And:
    case llvm::Instruction::Or:
    case llvm::Instruction::Xor:
      return true;
    case llvm::Instruction::Add:
    case llvm::Instruction::Sub:
      return llvm::isa<llvm::ConstantInt>(instruction.getOperand(1));
    default:
      return false;
  }
}

}  // namespace

void PointerModel::read_instruction(const llvm::Instruction& instruction) {
  for (const llvm::Use& operand : instruction.operands()) {
    if (operand->getType()->isPointerTy() && !llvm::isa<llvm::BasicBlock>(operand)) node(operand);
  }
  if (const auto* variable = llvm::dyn_cast<llvm::AllocaInst>(&instruction)) {
    MemoryObject object;
    object.value = variable;
    object.kind = MemoryKind::kStack;
    object.name = (variable->getFunction()->getName() + ":" + variable->getName()).str();
    object.type = variable->getAllocatedType();
    const bool one = !variable->isArrayAllocation();
    object.size = one ? layout_.getTypeAllocSize(object.type).getFixedSize() : 0;
    if (!one) object.type = nullptr;
    points_to_.point(node(variable), points_to_.cell(points_to_.new_object(std::move(object)), 0));
  } else if (const auto* call = llvm::dyn_cast<llvm::CallBase>(&instruction)) {
    read_call(*call);
  } else if (instruction.mayReadOrWriteMemory()) {
    read_memory(instruction);
  } else {
    read_value(instruction);
  }
}

void PointerModel::load_fields(NodeId pointer, llvm::Type* type, NodeId to) {
  if (auto* record = llvm::dyn_cast<llvm::StructType>(type)) {
    const auto* fields = layout_.getStructLayout(record);
    for (unsigned i = 0; i < record->getNumElements(); ++i) {
      const NodeId field = points_to_.new_node();
      points_to_.offset(pointer, field, static_cast<std::int64_t>(fields->getElementOffset(i)), 0);
      load_fields(field, record->getElementType(i), to);
    }
  } else if (carries_pointer(type)) {
    points_to_.load(pointer, to);
  } else if (type->isIntegerTy(128)) {  // a double-word compare-exchange
    const NodeId second = points_to_.new_node();
    points_to_.load(pointer, to);
    points_to_.offset(pointer, second, 8, 0);
    points_to_.load(second, to);
  }
}

void PointerModel::store_fields(const llvm::Value* value, NodeId pointer) {
  llvm::Type* type = value->getType();
  if (auto* record = llvm::dyn_cast<llvm::StructType>(type)) {
    const auto* fields = layout_.getStructLayout(record);
    for (unsigned i = 0; i < record->getNumElements(); ++i) {
      const NodeId field = points_to_.new_node();
      points_to_.offset(pointer, field, static_cast<std::int64_t>(fields->getElementOffset(i)), 0);
      const llvm::Value* part = value;
      if (const auto* constant = llvm::dyn_cast<llvm::Constant>(value)) {
        if (const llvm::Constant* element = constant->getAggregateElement(i)) part = element;
      }
      if (part != value && part->getType()->isStructTy()) {
        store_fields(part, field);
      } else {
        points_to_.store(node(part), field);
      }
    }
  } else if (carries_pointer(type)) {
    points_to_.store(node(value), pointer);
  } else if (type->isIntegerTy(128)) {
    const NodeId second = points_to_.new_node();
    points_to_.store(node(value), pointer);
    points_to_.offset(pointer, second, 8, 0);
    points_to_.store(node(value), second);
  }
}

void PointerModel::read_memory(const llvm::Instruction& instruction) {
  if (const auto* load = llvm::dyn_cast<llvm::LoadInst>(&instruction)) {
    load_fields(node(load->getPointerOperand()), load->getType(), node(load));
  } else if (const auto* store = llvm::dyn_cast<llvm::StoreInst>(&instruction)) {
    store_fields(store->getValueOperand(), node(store->getPointerOperand()));
  } else if (const auto* swap = llvm::dyn_cast<llvm::AtomicCmpXchgInst>(&instruction)) {
    load_fields(node(swap->getPointerOperand()), swap->getNewValOperand()->getType(), node(swap));
    store_fields(swap->getNewValOperand(), node(swap->getPointerOperand()));
  } else if (const auto* update = llvm::dyn_cast<llvm::AtomicRMWInst>(&instruction)) {
    load_fields(node(update->getPointerOperand()), update->getType(), node(update));
    if (update->getOperation() == llvm::AtomicRMWInst::Xchg) {
      store_fields(update->getValOperand(), node(update->getPointerOperand()));
    }
  }
}

void PointerModel::read_value(const llvm::Instruction& instruction) {
  if (const auto* offset = llvm::dyn_cast<llvm::GEPOperator>(&instruction)) {
    if (!instruction.getType()->isPointerTy()) return;
    read_offset(*offset, node(offset->getPointerOperand()), node(&instruction));
  } else if (const auto* done = llvm::dyn_cast<llvm::ReturnInst>(&instruction)) {
    if (done->getReturnValue() == nullptr) return;
    const auto [result, fresh] = results_.try_emplace(instruction.getFunction(), 0);
    if (fresh) result->second = points_to_.new_node();
    points_to_.copy(node(done->getReturnValue()), result->second);
  } else if (llvm::isa<llvm::CastInst>(instruction) || llvm::isa<llvm::PHINode>(instruction) ||
             llvm::isa<llvm::SelectInst>(instruction) || llvm::isa<llvm::ExtractValueInst>(instruction) ||
             llvm::isa<llvm::InsertValueInst>(instruction) || llvm::isa<llvm::FreezeInst>(instruction) ||
             keeps_pointer(instruction)) {
    llvm::Type* type = instruction.getType();
    if (!carries_pointer(type) && !type->isStructTy() && !type->isIntegerTy(128)) return;
    for (const llvm::Use& operand : instruction.operands()) {
      if (!llvm::isa<llvm::ConstantData>(operand)) points_to_.copy(node(operand), node(&instruction));
    }
  }
}

void PointerModel::read_offset(const llvm::GEPOperator& offset, NodeId from, NodeId to) {
  std::int64_t constant = 0;
  std::int64_t stride = 0;
  std::int64_t inner_stride = 0;
  bool first = true;
  const bool table = offset.getPointerOperand()->stripPointerCasts()->getName().startswith("_ZT");
  for (auto step = llvm::gep_type_begin(offset), end = llvm::gep_type_end(offset); step != end; ++step, first = false) {
    const auto* index = llvm::dyn_cast<llvm::ConstantInt>(step.getOperand());
    if (llvm::StructType* record = step.getStructTypeOrNull()) {
      constant += static_cast<std::int64_t>(layout_.getStructLayout(record)->getElementOffset(index->getZExtValue()));
      continue;
    }
    const auto size = static_cast<std::int64_t>(layout_.getTypeAllocSize(step.getIndexedType()).getFixedSize());
    const bool bytes = step.getIndexedType()->isIntegerTy(8);
    const bool code =
        step.getIndexedType()->isPointerTy() && step.getIndexedType()->getPointerElementType()->isFunctionTy();
    if (index != nullptr && (table || (first && (bytes || code)))) {
      constant += index->getSExtValue() * size;
    } else if (first) {
      if (bytes && is_no_adjustment(step.getOperand())) continue;
      if (index == nullptr || index->getSExtValue() != 0) stride = size;  // an element of an array
    } else if (index == nullptr && bytes) {
      inner_stride = 1;
    }
  }
  if (inner_stride != 0 && stride == 0) {
    points_to_.offset(from, to, constant, inner_stride);
    return;
  }
  if (stride == 0) return points_to_.offset(from, to, constant, 0);
  const NodeId element = points_to_.new_node();
  points_to_.offset(from, element, 0, stride);
  points_to_.offset(element, to, constant, 0);
}

}  // namespace ravel
