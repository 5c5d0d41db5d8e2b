// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Ravel authors
#include "report/racy_names.h"

#include <fmt/format.h>

#include <algorithm>
#include <map>

#include "model/text/path_text.h"
#include "symbols/code_symbols.h"

namespace ravel {
namespace {

PlaceName place_at(Symbolizer& symbolizer, LocationId location) {
  const Frame& frame = symbolizer.frames(location).front();
  return {frame.function, frame.line_in_function(), frame.column};
}

// Locations of `symbol`, a function of slot `slot`, at the same source place, in order.
std::vector<LocationId> same_place(Symbolizer& symbolizer, unsigned slot, const CodeSymbols& symbols,
                                   const CodeSymbol& symbol, const PlaceName& place) {
  const std::uint64_t shift = symbolizer.link_address(slot << kModuleSlotShift);
  std::vector<LocationId> out;
  for (const CallOut& call : symbols.call_outs(symbol)) {
    const LocationId location = (slot << kModuleSlotShift) | static_cast<std::uint32_t>(call.after - shift);
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
