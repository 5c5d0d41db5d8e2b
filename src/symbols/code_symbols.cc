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

  // Call-outs go to another file: through a stub of the procedure linkage table.
  bool is_stub(std::uint64_t address) const {
    return std::any_of(stubs.begin(), stubs.end(),
                       [&](const auto& range) { return address >= range.first && address < range.second; });
  }

  llvm::object::OwningBinary<llvm::object::ObjectFile> file;
  std::vector<std::pair<std::uint64_t, std::uint64_t>> stubs;
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
    if (name && name->substr(0, 4) == ".plt") {
      impl_->stubs.emplace_back(section.getAddress(), section.getAddress() + section.getSize());
    }
  }
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

std::vector<std::uint64_t> CodeSymbols::return_addresses(const CodeSymbol& symbol) const {
  std::vector<std::uint64_t> out;
  const auto found = impl_->functions.find(symbol.start);
  if (found == impl_->functions.end()) return out;
  const llvm::StringRef bytes = found->second.bytes;
  const auto byte_at = [&](std::size_t i) { return static_cast<unsigned char>(bytes[i]); };
  for (std::size_t i = 0; i + 5 <= bytes.size(); ++i) {
    if (byte_at(i) == 0xe8) {  // near call, to a stub
      std::int32_t distance = 0;
      std::memcpy(&distance, bytes.data() + i + 1, sizeof distance);
      const std::uint64_t after = symbol.start + i + 5;
      if (impl_->is_stub(after + static_cast<std::uint64_t>(std::int64_t{distance}))) out.push_back(after);
    } else if (byte_at(i) == 0xff && byte_at(i + 1) == 0x15 && i + 6 <= bytes.size()) {  // through the offset table
      out.push_back(symbol.start + i + 6);
    }
  }
  return out;
}

}  // namespace ravel
