// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Ravel authors
#include "symbols/variables.h"

#include <llvm/ADT/SmallVector.h>
#include <llvm/DebugInfo/DWARF/DWARFUnit.h>

#include <map>

#include "symbols/debug_file.h"

namespace ravel {
namespace {

using llvm::DWARFDie;
namespace dw = llvm::dwarf;

constexpr int kDeepest = 16;
constexpr std::uint64_t kPointerBytes = 8;

DWARFDie type_of(DWARFDie die) {
  const auto value = die.findRecursively({dw::DW_AT_type});
  return value ? die.getAttributeValueAsReferencedDie(*value).resolveTypeUnitReference() : DWARFDie();
}

// Behind typedefs and qualifiers.
DWARFDie bare(DWARFDie type) {
  for (int depth = 0; depth < kDeepest && type.isValid(); ++depth) {
    const auto tag = type.getTag();
    if (tag != dw::DW_TAG_typedef && tag != dw::DW_TAG_const_type && tag != dw::DW_TAG_volatile_type &&
        tag != dw::DW_TAG_atomic_type) {
      return type;
    }
    type = type_of(type);
  }
  return type;
}

llvm::Optional<std::uint64_t> number(DWARFDie die, dw::Attribute attribute) {
  return dw::toUnsigned(die.find(attribute));
}

// Elements along each dimension.
llvm::SmallVector<std::uint64_t, 4> counts_of(DWARFDie array) {
  llvm::SmallVector<std::uint64_t, 4> counts;
  for (const DWARFDie& range : array.children()) {
    if (range.getTag() != dw::DW_TAG_subrange_type) continue;
    const auto count = number(range, dw::DW_AT_count);
    const auto bound = number(range, dw::DW_AT_upper_bound);
    counts.push_back(count ? *count : bound ? *bound + 1 : 0);
  }
  return counts;
}

// 0 if unknown.
std::uint64_t size_of(DWARFDie type, int depth = 0) {
  type = bare(type);
  if (!type.isValid() || depth > kDeepest) return 0;
  if (const auto size = number(type, dw::DW_AT_byte_size)) return *size;
  const auto tag = type.getTag();
  if (tag == dw::DW_TAG_array_type) {
    std::uint64_t bytes = size_of(type_of(type), depth + 1);
    for (const std::uint64_t count : counts_of(type)) bytes *= count;
    return bytes;
  }
  const bool pointer =
      tag == dw::DW_TAG_pointer_type || tag == dw::DW_TAG_reference_type || tag == dw::DW_TAG_rvalue_reference_type;
  return pointer ? kPointerBytes : 0;
}

// Names that the standard keeps for libraries: what is inside is none of the reader's business.
bool is_reserved(const char* name) {
  return name[0] == '_' && (name[1] == '_' || (name[1] >= 'A' && name[1] <= 'Z'));
}

bool is_class(DWARFDie type) {
  const auto tag = type.getTag();
  return tag == dw::DW_TAG_structure_type || tag == dw::DW_TAG_class_type || tag == dw::DW_TAG_union_type;
}

// One step inwards: the element or member at `at.rest`, or nothing.
DWARFDie step(DWARFDie type, MemberName& at) {
  if (type.getTag() == dw::DW_TAG_array_type) {
    std::uint64_t bytes = size_of(type);
    if (bytes == 0 || at.rest >= bytes) return {};
    for (const std::uint64_t count : counts_of(type)) {
      bytes /= count;
      at.path += "[" + std::to_string(at.rest / bytes) + "]";
      at.rest %= bytes;
    }
    return type_of(type);
  }
  if (!is_class(type)) return {};
  for (const DWARFDie& part : type.children()) {
    if (part.getTag() != dw::DW_TAG_member && part.getTag() != dw::DW_TAG_inheritance) continue;
    const auto place = number(part, dw::DW_AT_data_member_location);
    if (!place && type.getTag() != dw::DW_TAG_union_type) continue;  // static
    const std::uint64_t begin = place ? *place : 0;
    const DWARFDie inner = type_of(part);
    if (!inner.isValid() || at.rest < begin || at.rest - begin >= size_of(inner)) continue;
    const char* name = part.getTag() == dw::DW_TAG_member ? part.getName(llvm::DINameKind::ShortName) : nullptr;
    if (name != nullptr && is_reserved(name)) return {};
    MemberName next{name == nullptr ? at.path : at.path + "." + name, at.rest - begin};
    if (name == nullptr) {  // a base, or a nameless union: only if it leads to something that has a name
      MemberName inside = next;
      if (!step(bare(inner), inside).isValid()) continue;
    }
    at = next;
    return inner;
  }
  return {};
}

MemberName walk(DWARFDie type, std::uint64_t offset) {
  MemberName at{{}, offset};
  for (int depth = 0; depth < kDeepest; ++depth) {
    type = bare(type);
    if (!type.isValid()) break;
    type = step(type, at);
    if (!type.isValid()) break;
  }
  return at;
}

llvm::StringRef expression(DWARFDie die, dw::Attribute attribute) {
  const auto value = die.find(attribute);
  if (!value) return {};
  const auto block = value->getAsBlock();
  return block ? llvm::StringRef(reinterpret_cast<const char*>(block->data()), block->size()) : llvm::StringRef();
}

// The operand behind the first byte, if it is all there is.
llvm::Optional<std::int64_t> signed_operand(llvm::StringRef bytes) {
  const llvm::DataExtractor data(bytes.drop_front(), true, kPointerBytes);
  std::uint64_t at = 0;
  const std::int64_t value = data.getSLEB128(&at);
  return at + 1 == bytes.size() ? llvm::Optional<std::int64_t>(value) : llvm::None;
}

llvm::Optional<std::uint64_t> fixed_address(DWARFDie variable) {
  const llvm::StringRef bytes = expression(variable, dw::DW_AT_location);
  if (bytes.size() < 2) return llvm::None;
  const llvm::DataExtractor data(bytes.drop_front(), true, kPointerBytes);
  std::uint64_t at = 0;
  const auto code = static_cast<unsigned char>(bytes[0]);
  if (code == dw::DW_OP_addr && bytes.size() == 1 + kPointerBytes) return data.getU64(&at);
  if (code != dw::DW_OP_addrx) return llvm::None;
  const std::uint64_t index = data.getULEB128(&at);
  if (at + 1 != bytes.size()) return llvm::None;
  const auto item = variable.getDwarfUnit()->getAddrOffsetSectionItem(static_cast<std::uint32_t>(index));
  return item ? llvm::Optional<std::uint64_t>(item->Address) : llvm::None;
}

std::string file_of(DWARFDie die) {
  const auto file = die.findRecursively({dw::DW_AT_decl_file});
  llvm::DWARFUnit* unit = die.getDwarfUnit();
  const auto* lines = unit->getContext().getLineTableForUnit(unit);
  std::string out;
  // The raw value: LLVM 14 does not take a constant that is part of the abbreviation for a number.
  if (file && lines != nullptr) {
    lines->getFileNameByIndex(file->getRawUValue(), unit->getCompilationDir(),
                              llvm::DILineInfoSpecifier::FileLineInfoKind::AbsoluteFilePath, out);
  }
  return out;
}

// Where a variable begins, in bytes from the place that is looked for; none if it does not live in the frame.
struct Frame {
  std::int64_t from_end;    // of the place, relative to the frame's upper end
  std::int64_t from_stack;  // and to the stack pointer
  unsigned char base = 0;   // first byte of the function's frame base

  [[nodiscard]] llvm::Optional<std::int64_t> in_register(unsigned dwarf_register, std::int64_t offset) const {
    constexpr unsigned kFramePointer = 6;
    constexpr unsigned kStackPointer = 7;
    constexpr std::int64_t kSaved = 16;  // return address and saved frame pointer
    if (dwarf_register == kStackPointer) return from_stack - offset;
    if (dwarf_register == kFramePointer) return from_end + kSaved - offset;
    return llvm::None;
  }
  // Wherever it lives for a time: only a place in memory can have been touched by others.
  [[nodiscard]] llvm::Optional<std::int64_t> into(DWARFDie variable) const {
    auto places = variable.getLocations(dw::DW_AT_location);
    if (!places) {
      llvm::consumeError(places.takeError());
      return llvm::None;
    }
    for (const llvm::DWARFLocationExpression& place : *places) {
      const llvm::StringRef bytes(reinterpret_cast<const char*>(place.Expr.data()), place.Expr.size());
      if (const auto found = into(bytes)) return found;
    }
    return llvm::None;
  }
  [[nodiscard]] llvm::Optional<std::int64_t> into(llvm::StringRef bytes) const {
    if (bytes.size() < 2) return llvm::None;
    const auto code = static_cast<unsigned char>(bytes[0]);
    const auto operand = signed_operand(bytes);
    if (!operand) return llvm::None;
    if (code >= dw::DW_OP_breg0 && code <= dw::DW_OP_breg31) return in_register(code - dw::DW_OP_breg0, *operand);
    if (code != dw::DW_OP_fbreg) return llvm::None;
    if (base == dw::DW_OP_call_frame_cfa) return from_end - *operand;
    if (base >= dw::DW_OP_reg0 && base <= dw::DW_OP_reg31) return in_register(base - dw::DW_OP_reg0, *operand);
    return llvm::None;
  }
};

// A variable that covers the place.
struct Covering {
  DWARFDie variable;
  std::uint64_t offset = 0;
  bool in_scope = false;

  // Blocks that follow each other share memory: whose scope the program counter is in has it. Of these the smallest,
  // and the first of equals.
  [[nodiscard]] bool is_worse_than(bool other_in_scope, std::uint64_t other_size) const {
    if (!variable.isValid()) return true;
    return in_scope != other_in_scope ? other_in_scope : other_size < size_of(type_of(variable));
  }
};

bool is_scope(DWARFDie die) {
  return die.getTag() == dw::DW_TAG_lexical_block || die.getTag() == dw::DW_TAG_inlined_subroutine;
}

void find_local(DWARFDie scope, const Frame& frame, std::uint64_t pc, bool in_scope, Covering& best, int depth) {
  for (const DWARFDie& die : scope.children()) {
    const auto tag = die.getTag();
    if (tag == dw::DW_TAG_variable || tag == dw::DW_TAG_formal_parameter) {
      const auto into = frame.into(die);
      const DWARFDie type = type_of(die);
      if (!into || *into < 0 || !type.isValid() || die.getName(llvm::DINameKind::ShortName) == nullptr) continue;
      const std::uint64_t size = size_of(type);
      if (static_cast<std::uint64_t>(*into) >= size || !best.is_worse_than(in_scope, size)) continue;
      best = {die, static_cast<std::uint64_t>(*into), in_scope};
    } else if (depth < kDeepest && is_scope(die)) {
      find_local(die, frame, pc, in_scope && die.addressRangeContainsAddress(pc), best, depth + 1);
    }
  }
}

bool is_library_type(DWARFDie type) {
  const char* name = type.getName(llvm::DINameKind::ShortName);
  if (name == nullptr || is_reserved(name)) return true;
  for (DWARFDie outer = type.getParent(); outer.isValid(); outer = outer.getParent()) {
    const char* around = outer.getName(llvm::DINameKind::ShortName);
    if (outer.getTag() == dw::DW_TAG_namespace && around != nullptr &&
        (llvm::StringRef(around) == "std" || is_reserved(around))) {
      return true;
    }
  }
  return false;
}

// The place by the class that a variable points to, if a block of that size can be one.
MemberName by_pointer(DWARFDie variable, std::uint64_t size, std::uint64_t offset) {
  constexpr std::uint64_t kShared = 16;  // what std::make_shared puts before the object
  const DWARFDie pointer = bare(type_of(variable));
  const bool points = pointer.isValid() &&
                      (pointer.getTag() == dw::DW_TAG_pointer_type || pointer.getTag() == dw::DW_TAG_reference_type);
  const DWARFDie type = points ? bare(type_of(pointer)) : DWARFDie();
  if (!type.isValid() || !is_class(type) || is_library_type(type)) return {};
  const std::uint64_t bytes = size_of(type);
  const std::uint64_t before = bytes + kShared == size ? kShared : 0;
  if (bytes == 0 || (bytes != size && before == 0) || offset < before) return {};
  MemberName member = walk(type, offset - before);
  if (member.path.empty()) return {};
  member.path = std::string(type.getName(llvm::DINameKind::ShortName)) + "::" + member.path.substr(1);
  return member;
}

MemberName by_pointers(DWARFDie scope, std::uint64_t pc, std::uint64_t size, std::uint64_t offset, int depth) {
  for (const DWARFDie& die : scope.children()) {
    const auto tag = die.getTag();
    MemberName found;
    if (tag == dw::DW_TAG_formal_parameter || tag == dw::DW_TAG_variable) {
      found = by_pointer(die, size, offset);
    } else if (tag == dw::DW_TAG_lexical_block && depth < kDeepest && die.addressRangeContainsAddress(pc)) {
      found = by_pointers(die, pc, size, offset, depth + 1);
    }
    if (!found.path.empty()) return found;
  }
  return {};
}

}  // namespace

struct Variables::Impl : DebugFile {
  // Globals and static locals by address; functions hold the latter.
  void add_globals(DWARFDie scope, int depth) {
    for (const DWARFDie& die : scope.children()) {
      const auto tag = die.getTag();
      if (tag == dw::DW_TAG_variable) {
        if (const auto address = fixed_address(die)) globals.emplace(*address, die);
      } else if (depth < kDeepest && (tag == dw::DW_TAG_namespace || tag == dw::DW_TAG_subprogram ||
                                      tag == dw::DW_TAG_lexical_block || tag == dw::DW_TAG_inlined_subroutine)) {
        add_globals(die, depth + 1);
      }
    }
  }
  void index() {
    if (indexed) return;
    indexed = true;
    for (const auto& unit : context->compile_units()) add_globals(unit->getUnitDIE(false), 0);
  }

  std::map<std::uint64_t, DWARFDie> globals;
  bool indexed = false;
};

Variables::Variables(const std::string& path) : impl_(std::make_unique<Impl>()) {
  impl_->open(path);
}

Variables::~Variables() = default;

MemberName Variables::member(std::uint64_t start, std::uint64_t offset) {
  if (impl_->context == nullptr) return {{}, offset};
  impl_->index();
  const auto found = impl_->globals.find(start);
  return found == impl_->globals.end() ? MemberName{{}, offset} : walk(type_of(found->second), offset);
}

LocalName Variables::local(std::uint64_t pc, std::int64_t below_frame, std::int64_t above_stack) {
  LocalName out;
  if (impl_->context == nullptr) return out;
  llvm::DWARFCompileUnit* unit = impl_->context->getDIEsForAddress(pc).CompileUnit;
  if (unit == nullptr) return out;
  llvm::SmallVector<DWARFDie, 8> chain;
  unit->getInlinedChainForAddress(pc, chain);
  if (chain.empty()) return out;
  const llvm::StringRef base = expression(chain.back(), dw::DW_AT_frame_base);
  if (base.size() != 1) return out;
  const Frame frame{-below_frame, above_stack, static_cast<unsigned char>(base[0])};
  Covering found;
  find_local(chain.back(), frame, pc, true, found, 0);
  const DWARFDie variable = found.variable;
  if (!variable.isValid()) return out;
  const MemberName member = walk(type_of(variable), found.offset);
  out.name = variable.getName(llvm::DINameKind::ShortName) + member.path;
  out.rest = member.rest;
  const auto line = variable.findRecursively({dw::DW_AT_decl_line});
  out.file = file_of(variable);
  out.line = line ? static_cast<std::uint32_t>(line->getRawUValue()) : 0;
  return out;
}

MemberName Variables::pointed(std::uint64_t pc, std::uint64_t size, std::uint64_t offset) {
  if (impl_->context == nullptr) return {};
  llvm::DWARFCompileUnit* unit = impl_->context->getDIEsForAddress(pc).CompileUnit;
  if (unit == nullptr) return {};
  llvm::SmallVector<DWARFDie, 8> chain;
  unit->getInlinedChainForAddress(pc, chain);
  for (const DWARFDie& function : chain) {
    MemberName found = by_pointers(function, pc, size, offset, 0);
    if (!found.path.empty()) return found;
  }
  return {};
}

}  // namespace ravel
