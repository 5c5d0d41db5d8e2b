// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Ravel authors
#include "symbols/data_symbols.h"

#include <llvm/Demangle/Demangle.h>
#include <llvm/Object/ELFObjectFile.h>

#include <set>

namespace ravel {

std::map<std::string, DataSymbol> data_symbols(const std::string& path) {
  std::map<std::string, DataSymbol> found;
  std::set<std::string> several;
  auto file = llvm::object::ObjectFile::createObjectFile(path);
  if (!file) {
    llvm::consumeError(file.takeError());
    return found;
  }
  const auto* elf = llvm::dyn_cast<llvm::object::ELFObjectFileBase>(file->getBinary());
  if (elf == nullptr) return found;
  for (const llvm::object::ELFSymbolRef symbol : elf->symbols()) {
    if (symbol.getELFType() != llvm::ELF::STT_OBJECT || symbol.getSize() == 0) continue;
    auto name = symbol.getName();
    auto address = symbol.getAddress();
    if (!name || !address) {
      llvm::consumeError(name.takeError());
      llvm::consumeError(address.takeError());
      continue;
    }
    const std::string readable = llvm::demangle(name->str());
    const auto [known, fresh] = found.try_emplace(readable, DataSymbol{*address, symbol.getSize()});
    if (!fresh && known->second.offset != *address) several.insert(readable);
  }
  for (const std::string& name : several) found.erase(name);
  return found;
}

}  // namespace ravel
