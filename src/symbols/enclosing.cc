// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Ravel authors
#include "symbols/enclosing.h"

#include <llvm/ADT/SmallVector.h>
#include <llvm/DebugInfo/DWARF/DWARFUnit.h>

#include "symbols/debug_file.h"

namespace ravel {
namespace {

using llvm::DWARFDie;

// The entry that stands where the function was written: behind abstract origins and specifications.
DWARFDie written(DWARFDie die) {
  for (int depth = 0; depth < 8; ++depth) {
    DWARFDie next = die.getAttributeValueAsReferencedDie(llvm::dwarf::DW_AT_abstract_origin);
    if (!next.isValid()) next = die.getAttributeValueAsReferencedDie(llvm::dwarf::DW_AT_specification);
    if (!next.isValid()) return die;
    die = next;
  }
  return die;
}

Enclosing enclosing_of(DWARFDie die) {
  Enclosing out;
  for (DWARFDie at = written(die).getParent(); at.isValid(); at = at.getParent()) {
    if (at.isSubprogramDIE()) {
      const char* name = at.getName(llvm::DINameKind::ShortName);
      out.function = name == nullptr ? "" : name;
      if (const std::uint64_t line = at.getDeclLine(); line != 0) out.line = static_cast<std::uint32_t>(line);
      return out;
    }
    if (out.line == 0) out.line = static_cast<std::uint32_t>(at.getDeclLine());
  }
  return out;
}

}  // namespace

struct EnclosingFunctions::Impl : DebugFile {};

EnclosingFunctions::EnclosingFunctions(const std::string& path) : impl_(std::make_unique<Impl>()) {
  impl_->open(path);
}

EnclosingFunctions::~EnclosingFunctions() = default;

std::vector<Enclosing> EnclosingFunctions::at(std::uint64_t address) {
  std::vector<Enclosing> out;
  if (impl_->context == nullptr) return out;
  llvm::DWARFCompileUnit* unit = impl_->context->getDIEsForAddress(address).CompileUnit;
  if (unit == nullptr) return out;
  llvm::SmallVector<DWARFDie, 8> chain;
  unit->getInlinedChainForAddress(address, chain);
  for (const DWARFDie& die : chain) out.push_back(enclosing_of(die));
  return out;
}

}  // namespace ravel
