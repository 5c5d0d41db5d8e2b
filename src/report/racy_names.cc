// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Ravel authors
#include "report/racy_names.h"

#include <fmt/format.h>
#include <llvm/Object/ELFObjectFile.h>
#include <llvm/Object/ObjectFile.h>

#include <algorithm>
#include <cstring>
#include <map>

namespace ravel {
namespace {

struct CodeSymbol {
  std::string name;
  std::uint64_t start = 0;
  std::uint64_t end = 0;
  llvm::StringRef bytes;
};

// The functions of one ELF file with their code.
class CodeSymbols {
 public:
  explicit CodeSymbols(const std::string& path) {
    auto file = llvm::object::ObjectFile::createObjectFile(path);
    if (!file) {
      llvm::consumeError(file.takeError());
      return;
    }
    file_ = std::move(*file);
    for (const llvm::object::SectionRef& section : file_.getBinary()->sections()) {
      auto name = section.getName();
      if (!name) {
        llvm::consumeError(name.takeError());
      } else if (name->substr(0, 4) == ".plt") {
        stubs_.emplace_back(section.getAddress(), section.getAddress() + section.getSize());
      }
    }
    for (const llvm::object::SymbolRef& symbol : file_.getBinary()->symbols()) add(symbol);
  }

  // Call-outs go to another file: through a stub of the procedure linkage table.
  [[nodiscard]] bool is_stub(std::uint64_t address) const {
    return std::any_of(stubs_.begin(), stubs_.end(),
                       [&](const auto& range) { return address >= range.first && address < range.second; });
  }

  [[nodiscard]] const CodeSymbol* at(std::uint64_t address) const {
    auto after = by_start_.upper_bound(address);
    if (after == by_start_.begin()) return nullptr;
    const CodeSymbol& symbol = std::prev(after)->second;
    return address < symbol.end ? &symbol : nullptr;
  }
  [[nodiscard]] const CodeSymbol* named(const std::string& name) const {
    for (const auto& [start, symbol] : by_start_) {
      if (symbol.name == name) return &symbol;
    }
    return nullptr;
  }

 private:
  void add(const llvm::object::SymbolRef& symbol) {
    auto type = symbol.getType();
    auto address = symbol.getAddress();
    auto name = symbol.getName();
    auto section = symbol.getSection();
    const bool good = type && address && name && section && *type == llvm::object::SymbolRef::ST_Function &&
                      *section != file_.getBinary()->section_end();
    if (!type) llvm::consumeError(type.takeError());
    if (!address) llvm::consumeError(address.takeError());
    if (!name) llvm::consumeError(name.takeError());
    if (!section) llvm::consumeError(section.takeError());
    if (!good) return;
    const std::uint64_t size = llvm::object::ELFSymbolRef(symbol).getSize();
    auto contents = (*section)->getContents();
    if (!contents) {
      llvm::consumeError(contents.takeError());
      return;
    }
    const std::uint64_t base = (*section)->getAddress();
    if (size == 0 || *address < base || *address - base > contents->size() ||
        contents->size() - (*address - base) < size)
      return;
    by_start_.try_emplace(*address,
                          CodeSymbol{name->str(), *address, *address + size, contents->substr(*address - base, size)});
  }

  llvm::object::OwningBinary<llvm::object::ObjectFile> file_;
  std::vector<std::pair<std::uint64_t, std::uint64_t>> stubs_;
  std::map<std::uint64_t, CodeSymbol> by_start_;
};

// Addresses behind a call to another file: near, to a stub (E8 rel32), or through the global offset table (FF 15).
std::vector<std::uint64_t> return_addresses(const CodeSymbols& symbols, const CodeSymbol& symbol) {
  std::vector<std::uint64_t> out;
  for (std::size_t i = 0; i + 5 <= symbol.bytes.size(); ++i) {
    const auto byte = static_cast<unsigned char>(symbol.bytes[i]);
    if (byte == 0xe8) {
      std::int32_t distance = 0;
      std::memcpy(&distance, symbol.bytes.data() + i + 1, sizeof distance);
      const std::uint64_t after = symbol.start + i + 5;
      if (symbols.is_stub(after + static_cast<std::uint64_t>(std::int64_t{distance}))) out.push_back(after);
    } else if (byte == 0xff && static_cast<unsigned char>(symbol.bytes[i + 1]) == 0x15 &&
               i + 6 <= symbol.bytes.size()) {
      out.push_back(symbol.start + i + 6);
    }
  }
  return out;
}

PlaceName place_at(Symbolizer& symbolizer, LocationId location) {
  const Frame& frame = symbolizer.frames(location).front();
  return {frame.function, frame.line_in_function(), frame.column};
}

std::string base_name(const std::string& path) {
  return path.substr(path.rfind('/') + 1);
}

// Locations of `symbol`, a function of slot `slot`, at the same source place, in order.
std::vector<LocationId> same_place(Symbolizer& symbolizer, unsigned slot, const CodeSymbols& symbols,
                                   const CodeSymbol& symbol, const PlaceName& place) {
  const std::uint64_t shift = symbolizer.link_address(slot << kModuleSlotShift);
  std::vector<LocationId> out;
  for (std::uint64_t address : return_addresses(symbols, symbol)) {
    const LocationId location = (slot << kModuleSlotShift) | static_cast<std::uint32_t>(address - shift);
    if (place_at(symbolizer, location) == place) out.push_back(location);
  }
  return out;
}

}  // namespace

std::vector<RacyPlace> name_racy(Symbolizer& symbolizer, const std::vector<LocationId>& locations) {
  std::map<unsigned, CodeSymbols> modules;
  std::vector<RacyPlace> places;
  for (LocationId location : locations) {
    const unsigned slot = module_slot(location);
    RacyPlace racy;
    racy.location = location;
    racy.module = base_name(symbolizer.module_path(slot));
    racy.place = place_at(symbolizer, location);
    const CodeSymbols& symbols = modules.try_emplace(slot, symbolizer.module_path(slot)).first->second;
    if (const CodeSymbol* symbol = symbols.at(symbolizer.link_address(location) - 1)) {
      racy.symbol = symbol->name;
      const auto all = same_place(symbolizer, slot, symbols, *symbol, racy.place);
      racy.occurrence = static_cast<std::uint32_t>(std::find(all.begin(), all.end(), location) - all.begin());
    }
    places.push_back(std::move(racy));
  }
  return places;
}

Result<std::vector<LocationId>> locate_racy(Symbolizer& symbolizer, const std::vector<RacyPlace>& places) {
  const CodeSymbols symbols(symbolizer.module_path(0));
  std::vector<LocationId> locations;
  for (const RacyPlace& racy : places) {
    if (module_slot(racy.location) != 0) {
      locations.push_back(racy.location);
      continue;
    }
    const std::string wanted = fmt::format("{}+{}:{}", racy.place.function, racy.place.line, racy.place.column);
    const CodeSymbol* symbol = symbols.named(racy.symbol);
    if (symbol == nullptr) {
      return cannot_test(
          "the plan is for a different program",
          fmt::format("expected a function {}, found none in {}", racy.symbol, symbolizer.module_path(0)),
          "record a plan for this program with `ravel run'");
    }
    const auto found = same_place(symbolizer, 0, symbols, *symbol, racy.place);
    if (racy.occurrence >= found.size()) {
      return cannot_test("the plan is for a different program",
                         fmt::format("expected access {} at {} in {}, found {}", racy.occurrence + 1, wanted,
                                     racy.symbol, found.size()),
                         "record a plan for this program with `ravel run'");
    }
    locations.push_back(found[racy.occurrence]);
  }
  return locations;
}

}  // namespace ravel
