// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Ravel authors
#include "statics/llvm/member_names.h"

#include <llvm/ADT/SmallVector.h>
#include <llvm/BinaryFormat/Dwarf.h>
#include <llvm/IR/DebugInfoMetadata.h>

namespace ravel {
namespace {

namespace dw = llvm::dwarf;

constexpr int kMostDepth = 16;

const llvm::DIType* plain(const llvm::DIType* type) {
  while (const auto* derived = llvm::dyn_cast_or_null<llvm::DIDerivedType>(type)) {
    const unsigned tag = derived->getTag();
    const bool transparent = tag == dw::DW_TAG_typedef || tag == dw::DW_TAG_const_type ||
                             tag == dw::DW_TAG_volatile_type || tag == dw::DW_TAG_atomic_type;
    if (!transparent) break;
    type = derived->getBaseType();
  }
  return type;
}

bool is_of_library(const llvm::DIType& type) {
  for (const llvm::DIScope* scope = type.getScope(); scope != nullptr; scope = scope->getScope()) {
    if (llvm::isa<llvm::DINamespace>(scope) && scope->getName() == "std") return true;
  }
  return false;
}

struct Walk {
  const llvm::DIType* type = nullptr;
  std::uint64_t rest = 0;  // bytes, inside `type`
  std::string path;
  std::string array;  // "[]", written once something of an element is named
};

bool into_array(Walk& at, const llvm::DICompositeType& array) {
  const llvm::DIType* element = plain(array.getBaseType());
  if (element == nullptr || element->getSizeInBits() == 0) return false;
  at.type = element;
  at.rest %= element->getSizeInBits() / 8;
  at.array += "[]";
  return true;
}

bool into_class(Walk& at, const llvm::DICompositeType& type) {
  for (const llvm::DINode* node : type.getElements()) {
    const auto* part = llvm::dyn_cast<llvm::DIDerivedType>(node);
    if (part == nullptr || part->isStaticMember()) continue;
    const bool base = part->getTag() == dw::DW_TAG_inheritance;
    if (!base && part->getTag() != dw::DW_TAG_member) continue;
    const llvm::DIType* inner = plain(part->getBaseType());
    const std::uint64_t begin = part->getOffsetInBits() / 8;
    if (inner == nullptr || at.rest < begin || at.rest >= begin + inner->getSizeInBits() / 8) continue;
    if (!base && !part->getName().empty()) {
      at.path += at.array + "." + part->getName().str();
      at.array.clear();
    }
    at.type = inner;
    at.rest -= begin;
    return true;
  }
  return false;
}

bool step(Walk& at) {
  const auto* type = llvm::dyn_cast_or_null<llvm::DICompositeType>(at.type);
  if (type == nullptr || is_of_library(*type)) return false;
  return type->getTag() == dw::DW_TAG_array_type ? into_array(at, *type) : into_class(at, *type);
}

}  // namespace

std::string member_name(const llvm::GlobalVariable& variable, std::int64_t offset) {
  llvm::SmallVector<llvm::DIGlobalVariableExpression*, 1> known;
  variable.getDebugInfo(known);
  const std::string bytes = offset == 0 ? "" : "+" + std::to_string(offset);
  if (known.empty() || offset < 0) return bytes;
  Walk at{plain(known.front()->getVariable()->getType()), static_cast<std::uint64_t>(offset), {}, {}};
  for (int depth = 0; depth < kMostDepth && step(at); ++depth) {
  }
  if (at.path.empty() && at.array.empty()) return bytes;
  return at.path + (at.rest == 0 || at.path.empty() ? "" : "+" + std::to_string(at.rest));
}

}  // namespace ravel
