// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Ravel authors
#include "investigate/brought_about.h"

#include <fmt/format.h>

#include "investigate/plan_source.h"
#include "model/text/path_text.h"
#include "report/value_orders.h"
#include "statics/user_places.h"

namespace ravel {

std::vector<std::string> orders_of_plan(const std::string& plan, std::size_t most) {
  std::vector<std::string> lines;
  auto source = read_plan_source(plan);
  if (!source) return lines;
  auto prepared = prepare_plan(std::move(*source), {});
  if (!prepared) return lines;
  auto result = run_replay(prepared->replay);
  if (!result || result->record.outcome == OutcomeKind::kDiverged) return lines;
  Symbolizer symbolizer;
  Names names(result->record, symbolizer);
  for (const ValueOrder& order : values_of(names, false).orders) {
    if (lines.size() == most) break;
    lines.push_back(order_text(order));
  }
  return lines;
}

ValuePlaces places_of(const std::string& program, const ValueCounts& counts) {
  ValuePlaces places;
  if (counts.skipped == 0) return places;
  for (const UserPlace& place : find_user_places(program)) {
    const std::string line = fmt::format("{}:{}", base_name(place.place.file), place.place.line);
    if (place.location == counts.skipped) places.skipped = line;
    if (place.location == counts.entered) places.entered = place.function;
  }
  return places;
}

}  // namespace ravel
