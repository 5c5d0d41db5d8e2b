// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Ravel authors
#include "symbols/code_symbols.h"

#include <llvm/Demangle/Demangle.h>
#include <llvm/Object/ELFObjectFile.h>
#include <llvm/Object/ObjectFile.h>

#include <algorithm>
#include <cstdlib>
#include <cstring>
#include <map>
#include <utility>

namespace ravel {
namespace {

// The value, or nothing: a damaged file has fewer symbols, not an error.
template <class T>
llvm::Optional<T> value_of(llvm::Expected<T> expected) {
  if (expected) return std::move(*expected);
  llvm::consumeError(expected.takeError());
  return llvm::None;
}

// The signed distance in an instruction, as something to add to an address.
std::uint64_t distance_at(llvm::StringRef bytes, std::size_t at) {
  std::int32_t distance = 0;
  std::memcpy(&distance, bytes.data() + at, sizeof distance);
  return static_cast<std::uint64_t>(std::int64_t{distance});
}

}  // namespace

std::string function_name(const std::string& linked) {
  llvm::ItaniumPartialDemangler demangler;
  if (demangler.partialDemangle(linked.c_str()) || !demangler.isFunction()) return linked;
  const std::unique_ptr<char, decltype(&std::free)> name(demangler.getFunctionName(nullptr, nullptr), std::free);
  return name == nullptr ? linked : name.get();
}

struct CodeSymbols::Impl {
  struct Function {
    CodeSymbol symbol;
    llvm::StringRef bytes;
  };

  void add(const llvm::object::SymbolRef& symbol) {
    const auto type = value_of(symbol.getType());
    const auto address = value_of(symbol.getAddress());
    const auto name = value_of(symbol.getName());
    const auto section = value_of(symbol.getSection());
    if (!type || !address || !name || !section) return;
    if (*type != llvm::object::SymbolRef::ST_Function || *section == file.getBinary()->section_end()) return;
    const auto contents = value_of((*section)->getContents());
    if (!contents) return;
    const std::uint64_t size = llvm::object::ELFSymbolRef(symbol).getSize();
    const std::uint64_t base = (*section)->getAddress();
    if (size == 0 || *address < base || *address - base > contents->size()) return;
    if (contents->size() - (*address - base) < size) return;
    functions.emplace(*address,
                      Function{{name->str(), *address, *address + size}, contents->substr(*address - base, size)});
  }

  // A section of the procedure linkage table.
  struct Stubs {
    std::uint64_t start = 0;
    llvm::StringRef bytes;
  };

  // Call-outs go to another file: through a stub of the procedure linkage table.
  const Stubs* stubs_at(std::uint64_t address) const {
    for (const Stubs& section : stubs) {
      if (address >= section.start && address - section.start < section.bytes.size()) return &section;
    }
    return nullptr;
  }
  bool is_stub(std::uint64_t address) const { return stubs_at(address) != nullptr; }

  std::string named_at(std::uint64_t slot) const {
    const auto found = slots.find(slot);
    return found == slots.end() ? std::string{} : found->second;
  }

  // A stub jumps through its slot of the offset table, some bytes behind its start.
  std::string callee_of_stub(std::uint64_t address) const {
    constexpr std::size_t kStubBytes = 16;
    const Stubs& section = *stubs_at(address);
    const std::size_t start = address - section.start;
    for (std::size_t i = start; i < start + kStubBytes && i + 6 <= section.bytes.size(); ++i) {
      const bool jump = static_cast<unsigned char>(section.bytes[i]) == 0xff &&
                        static_cast<unsigned char>(section.bytes[i + 1]) == 0x25;
      if (jump) return named_at(section.start + i + 6 + distance_at(section.bytes, i + 2));
    }
    return {};
  }

  // Which function the loader puts into which slot of the offset table.
  void read_slots() {
    const auto* elf = llvm::dyn_cast<llvm::object::ELFObjectFileBase>(file.getBinary());
    if (elf == nullptr) return;
    for (const llvm::object::SectionRef& section : elf->dynamic_relocation_sections()) {
      for (const llvm::object::RelocationRef& relocation : section.relocations()) {
        const auto symbol = relocation.getSymbol();
        if (symbol == elf->symbol_end()) continue;
        if (const auto name = value_of(symbol->getName())) slots[relocation.getOffset()] = name->str();
      }
    }
  }

  llvm::object::OwningBinary<llvm::object::ObjectFile> file;
  std::vector<Stubs> stubs;
  std::map<std::uint64_t, std::string> slots;
  std::map<std::uint64_t, Function> functions;  // by start
};

CodeSymbols::CodeSymbols(const std::string& path) : impl_(std::make_unique<Impl>()) {
  auto file = llvm::object::ObjectFile::createObjectFile(path);
  if (!file) {
    llvm::consumeError(file.takeError());
    return;
  }
  impl_->file = std::move(*file);
  for (const llvm::object::SectionRef& section : impl_->file.getBinary()->sections()) {
    const auto name = value_of(section.getName());
    if (!name || name->substr(0, 4) != ".plt") continue;
    if (const auto contents = value_of(section.getContents()))
      impl_->stubs.push_back({section.getAddress(), *contents});
  }
  impl_->read_slots();
  for (const llvm::object::SymbolRef& symbol : impl_->file.getBinary()->symbols()) impl_->add(symbol);
}

CodeSymbols::~CodeSymbols() = default;

const CodeSymbol* CodeSymbols::at(std::uint64_t address) const {
  const auto after = impl_->functions.upper_bound(address);
  if (after == impl_->functions.begin()) return nullptr;
  const CodeSymbol& symbol = std::prev(after)->second.symbol;
  return address < symbol.end ? &symbol : nullptr;
}

const CodeSymbol* CodeSymbols::named(const std::string& name) const {
  for (const auto& entry : impl_->functions) {
    if (entry.second.symbol.name == name) return &entry.second.symbol;
  }
  return nullptr;
}

std::vector<CodeSymbol> CodeSymbols::all() const {
  std::vector<CodeSymbol> out;
  for (const auto& entry : impl_->functions) out.push_back(entry.second.symbol);
  return out;
}

std::string CodeSymbols::bytes_of(const CodeSymbol& symbol) const {
  const auto found = impl_->functions.find(symbol.start);
  return found == impl_->functions.end() ? std::string{} : found->second.bytes.str();
}

namespace {
// The length of `call *operand` at the start of the bytes; 0: it is something else.
std::size_t pointer_call_length(llvm::StringRef bytes) {
  if (bytes.size() < 2 || static_cast<unsigned char>(bytes[0]) != 0xff) return 0;
  const auto operand = static_cast<unsigned char>(bytes[1]);
  const unsigned mode = operand >> 6;
  const unsigned base = operand & 7;
  if ((operand >> 3 & 7) != 2) return 0;
  if (mode == 3) return 2;
  if (mode == 0 && base == 5) return 0;  // relative to the instruction: a call-out, or a table of the file's own
  const std::size_t index = base == 4 ? 1 : 0;
  return 2 + index + (mode == 1 ? 1 : mode == 2 ? 4 : 0);
}
}  // namespace

std::vector<CallOut> CodeSymbols::inner_calls(const CodeSymbol& symbol) const {
  std::vector<CallOut> out;
  const auto found = impl_->functions.find(symbol.start);
  if (found == impl_->functions.end()) return out;
  const llvm::StringRef bytes = found->second.bytes;
  for (std::size_t i = 0; i < bytes.size(); ++i) {
    if (const std::size_t length = pointer_call_length(bytes.substr(i)); length != 0) {
      out.push_back({symbol.start + i + length, {}});
    }
    if (static_cast<unsigned char>(bytes[i]) != 0xe8 || i + 5 > bytes.size()) continue;
    const std::uint64_t after = symbol.start + i + 5;
    const auto callee = impl_->functions.find(after + distance_at(bytes, i + 1));
    if (callee != impl_->functions.end()) out.push_back({after, callee->second.symbol.name});
  }
  return out;
}

std::vector<CallOut> CodeSymbols::call_outs(const CodeSymbol& symbol) const {
  std::vector<CallOut> out;
  const auto found = impl_->functions.find(symbol.start);
  if (found == impl_->functions.end()) return out;
  const llvm::StringRef bytes = found->second.bytes;
  const auto byte_at = [&](std::size_t i) { return static_cast<unsigned char>(bytes[i]); };
  for (std::size_t i = 0; i + 5 <= bytes.size(); ++i) {
    if (byte_at(i) == 0xe8) {  // near call, to a stub
      const std::uint64_t after = symbol.start + i + 5;
      const std::uint64_t target = after + distance_at(bytes, i + 1);
      if (impl_->is_stub(target)) out.push_back({after, impl_->callee_of_stub(target)});
    } else if (byte_at(i) == 0xff && byte_at(i + 1) == 0x15 && i + 6 <= bytes.size()) {  // through the offset table
      const std::uint64_t after = symbol.start + i + 6;
      out.push_back({after, impl_->named_at(after + distance_at(bytes, i + 2))});
    }
  }
  return out;
}

}  // namespace ravel
