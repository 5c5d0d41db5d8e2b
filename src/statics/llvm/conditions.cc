// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Ravel authors
#include "statics/llvm/conditions.h"

#include <llvm/IR/Instructions.h>

namespace ravel {
namespace {

constexpr unsigned kDeepest = 4;

const char* comparison(llvm::CmpInst::Predicate predicate) {
  switch (predicate) {
    case llvm::CmpInst::ICMP_EQ:
      return "==";
    case llvm::CmpInst::ICMP_NE:
      return "!=";
    case llvm::CmpInst::ICMP_SGT:
    case llvm::CmpInst::ICMP_UGT:
      return ">";
    case llvm::CmpInst::ICMP_SGE:
    case llvm::CmpInst::ICMP_UGE:
      return ">=";
    case llvm::CmpInst::ICMP_SLT:
    case llvm::CmpInst::ICMP_ULT:
      return "<";
    case llvm::CmpInst::ICMP_SLE:
    case llvm::CmpInst::ICMP_ULE:
      return "<=";
    default:
      return nullptr;
  }
}

class Writer {
 public:
  Writer(const PointerModel& model, const Accesses& accesses) : model_(model), accesses_(accesses) {}

  // Empty: cannot be said.
  std::string text(const llvm::Value& value, unsigned depth) const {
    if (depth > kDeepest) return {};
    if (const auto* number = llvm::dyn_cast<llvm::ConstantInt>(&value)) {
      return number->getBitWidth() > 64 ? std::string{} : std::to_string(number->getSExtValue());
    }
    if (llvm::isa<llvm::ConstantPointerNull>(value)) return "0";
    if (const auto* cast = llvm::dyn_cast<llvm::CastInst>(&value)) return text(*cast->getOperand(0), depth);
    if (const auto* load = llvm::dyn_cast<llvm::LoadInst>(&value)) return name_of(*load->getPointerOperand());
    if (const auto* compare = llvm::dyn_cast<llvm::ICmpInst>(&value)) return compared(*compare, false, depth);
    if (const auto* sum = llvm::dyn_cast<llvm::BinaryOperator>(&value)) {
      const bool minus = sum->getOpcode() == llvm::Instruction::Sub;
      if (!minus && sum->getOpcode() != llvm::Instruction::Add) return {};
      const std::string both = joined(*sum, minus ? "-" : "+", depth);
      return both.empty() ? both : "(" + both + ")";
    }
    return {};
  }

  // `negated`: when it does not hold.
  [[nodiscard]] std::string compared(const llvm::ICmpInst& compare, bool negated, unsigned depth) const {
    const char* sign = comparison(negated ? compare.getInversePredicate() : compare.getPredicate());
    return sign == nullptr ? std::string{} : joined(compare, sign, depth);
  }

 private:
  [[nodiscard]] std::string joined(const llvm::Instruction& both, const char* sign, unsigned depth) const {
    const std::string left = text(*both.getOperand(0), depth + 1);
    const std::string right = text(*both.getOperand(1), depth + 1);
    return left.empty() || right.empty() ? std::string{} : left + " " + sign + " " + right;
  }

  // One object for certain.
  [[nodiscard]] std::string name_of(const llvm::Value& pointer) const {
    const CellSet& cells = model_.memory(&pointer);
    if (cells.count() != 1) return {};
    const CellId cell = *cells.begin();
    return accesses_.object_name(model_.points_to().object_of(cell), model_.points_to().offset_of(cell));
  }

  const PointerModel& model_;
  const Accesses& accesses_;
};

bool is_expectation(const llvm::Value& value) {
  const auto* call = llvm::dyn_cast<llvm::CallInst>(&value);
  const llvm::Function* callee = call == nullptr ? nullptr : call->getCalledFunction();
  return callee != nullptr && callee->getName().startswith("llvm.expect.");
}

// Without conversions and hints to the optimiser.
const llvm::Value& bare(const llvm::Value& value) {
  const llvm::Value* at = &value;
  while (llvm::isa<llvm::ZExtInst>(at) || llvm::isa<llvm::TruncInst>(at) || is_expectation(*at)) {
    at = llvm::cast<llvm::User>(at)->getOperand(0);
  }
  return *at;
}

// The comparison or truth value that a condition comes down to, past "not" and "is not 0".
const llvm::Value& essence(const llvm::Value& condition, bool& negated) {
  const llvm::Value* at = &bare(condition);
  for (;;) {
    const auto* one = llvm::dyn_cast<llvm::User>(at);
    const auto* constant =
        one != nullptr && one->getNumOperands() == 2 ? llvm::dyn_cast<llvm::ConstantInt>(one->getOperand(1)) : nullptr;
    if (constant == nullptr) return *at;
    const llvm::Value& inner = bare(*one->getOperand(0));
    const bool truth = inner.getType()->isIntegerTy(1);
    const auto* compare = llvm::dyn_cast<llvm::ICmpInst>(one);
    const auto* binary = llvm::dyn_cast<llvm::BinaryOperator>(one);
    if (binary != nullptr && binary->getOpcode() == llvm::Instruction::Xor && truth && constant->isOne()) {
      negated = !negated;
    } else if (compare != nullptr && compare->isEquality() && truth && constant->isZero()) {
      if (compare->getPredicate() == llvm::CmpInst::ICMP_EQ) negated = !negated;
    } else {
      return *at;
    }
    at = &inner;
  }
}

}  // namespace

std::string condition_text(const PointerModel& model, const Accesses& accesses, const llvm::Value& condition) {
  bool negated = false;
  const llvm::Value& value = essence(condition, negated);
  const Writer writer(model, accesses);
  if (const auto* compare = llvm::dyn_cast<llvm::ICmpInst>(&value)) return writer.compared(*compare, negated, 0);
  const std::string text = writer.text(value, 0);
  return text.empty() ? text : text + (negated ? " == 0" : " != 0");  // a truth value by itself
}

}  // namespace ravel
