// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Ravel authors
#include "investigate/use_facts.h"

#include <fmt/format.h>

#include <filesystem>

#include "base/hash.h"
#include "explore/strategy_table.h"
#include "investigate/focus.h"
#include "investigate/kept_pairs_file.h"
#include "investigate/strategy_check.h"
#include "model/execution.h"
#include "statics/distances.h"
#include "statics/facts_file.h"
#include "statics/facts_table.h"
#include "statics/guide_table.h"
#include "statics/property.h"
#include "wire/facts_table.h"

namespace ravel {
namespace {

std::string targets_text(const CampaignRequest& options) {
  return options.targets.empty() ? "any place that fails" : sequence_text(options.targets);
}

FactPoints points_for(const CampaignRequest& options) {
  const StrategyRow& row = *find_strategy(options.strategy);
  if (options.points_of_pairs || row.takes_pairs) return FactPoints::kPairs;
  return row.tries_warnings ? FactPoints::kWarnings : FactPoints::kNone;
}

Result<Facts> facts_of_build(const std::string& path, const ProgramImage& image) {
  auto facts = read_facts(path);
  if (!facts || facts->build_id == image.build_id) return facts;
  return cannot_test("the facts are of another build of the program", path, "run `ravel analyze' again");
}

struct MatchedFacts {
  Facts facts;
  PlaceMatch match;
};

// A stripped program has no lines to find places by.
Result<MatchedFacts> match_facts(Facts facts, const ProgramImage& image) {
  MatchedFacts known{std::move(facts), {}};
  known.match = match_places(known.facts, image.path);
  if (known.match.found != 0 || known.match.known == 0) return known;
  return cannot_test("no place of your code was found in the program", image.path,
                     "it has no line information: build it with `ravel c++' and do not strip it");
}

// Of a search by values: what has to hold before the targets, or before anything that fails.
Result<GuideLists> property_guide(const Facts& facts, const PlaceMatch& match, const CampaignRequest& options,
                                  const ProgramImage& image) {
  std::vector<std::vector<unsigned>> targets;
  for (const SequencePlace& one : options.targets) {
    targets.push_back(nodes_at(facts.graph, one.place));
    if (!one.function.empty() || targets.back().empty()) {
      return usage_error("no code stands at", one.text, "by the static facts of the program");
    }
  }
  for (std::size_t i = 0; options.targets.empty() && i < facts.targets.size(); ++i) {
    targets.push_back(nodes_at(facts.graph, facts.targets[i].place));
  }
  Properties property = property_before(facts, targets, variables_of(facts, image.path));
  if (property.empty()) {
    return usage_error("no condition that can be evaluated stands before", targets_text(options),
                       "by=property needs conditions on global variables");
  }
  std::vector<unsigned> failing;
  for (const std::vector<unsigned>& nodes : targets) failing.insert(failing.end(), nodes.begin(), nodes.end());
  return GuideMaker(image.path, &facts, &match).make_property(failing, std::move(property));
}

Result<GuideLists> guide_for(const Facts& facts, const PlaceMatch& match, const CampaignRequest& options,
                             const ProgramImage& image) {
  if (searches_property(options.strategy)) return property_guide(facts, match, options, image);
  if (options.goal.empty()) return GuideLists{};
  return GuideMaker(image.path, &facts, &match).make(options.goal);
}

// What earlier runs of a search by goals have left. No part of what a checkpoint must be the same in: whoever resumes
// goes on with what the search began with.
std::string add_earlier_pairs(FactsTable& table, const CampaignRequest& options, const ProgramImage& image) {
  if (!find_strategy(options.strategy)->takes_pairs) return {};
  const EarlierPairs earlier = read_kept_pairs(kept_pairs_path(facts_file(options, image)), image.build_id);
  add_kept_pairs(table, earlier.pairs);
  return earlier.note;
}

// Sealed, and part of what a checkpoint must be the same in.
Result<std::string> hand_over(const MatchedFacts& known, const std::string& path, const CampaignRequest& options,
                              const ProgramImage& image, CampaignOptions& campaign) {
  const auto& [facts, match] = known;
  auto guide = guide_for(facts, match, options, image);
  if (!guide) return tl::make_unexpected(guide.error());
  ReachLists reach;
  if (find_strategy(options.strategy)->takes_pairs) {
    const std::vector<UserPlace> places = find_user_places(image.path);
    reach = make_reach(facts, places);
    if (!options.focus.empty()) {
      auto focus = focus_locations(options.focus, facts, match, places, image.path);
      if (!focus) return tl::make_unexpected(focus.error());
      reach.focus = std::move(*focus);
    }
  }
  FactsTable table = make_facts_table(facts, match, points_for(options), &*guide, &reach);
  if (table.points > kMaxRacyLocations || table.bytes.size() > kMaxFactsBytes) {
    if (!options.points_of_pairs && options.goal.empty()) return fmt::format("facts {}: too many to use", path);
    return cannot_test("too many members of pairs for --points pairs",
                       fmt::format("{} of at most {}", table.points, kMaxRacyLocations), "use --points racy");
  }
  campaign.checkpoint.campaign += fmt::format("\nfacts {:x}", hash_bytes(0, table.bytes));
  const std::string kept = add_earlier_pairs(table, options, image);
  auto memory = FactsMemory::create(table.bytes);
  if (!memory) return tl::make_unexpected(memory.error());
  campaign.facts = std::move(*memory);
  return fmt::format(
      "facts {}: {} of {} places of your code found in the program, {} of them points from the start{}{}", path,
      match.found, match.known, table.points, facts.partial() ? " (partial)" : "", kept.empty() ? "" : "; " + kept);
}

// Yields what is to be said about it; empty: nothing.
Result<std::string> only_earlier_pairs(const CampaignRequest& options, const ProgramImage& image,
                                       CampaignOptions& campaign) {
  FactsTable table = make_facts_table(Facts{}, PlaceMatch{}, FactPoints::kNone);
  const std::size_t without = table.bytes.size();
  std::string note = add_earlier_pairs(table, options, image);
  if (table.bytes.size() == without) return note;
  auto memory = FactsMemory::create(table.bytes);
  if (!memory) return tl::make_unexpected(memory.error());
  campaign.facts = std::move(*memory);
  return note;
}

// A sequence without facts: the order of its places guides, distances do not.
Result<std::string> guide_without_facts(const CampaignRequest& options, const ProgramImage& image,
                                        CampaignOptions& campaign, const std::string& why) {
  auto lists = GuideMaker(image.path, nullptr, nullptr).make(options.goal);
  if (!lists) return tl::make_unexpected(lists.error());
  const FactsTable table = make_facts_table(Facts{}, PlaceMatch{}, FactPoints::kNone, &*lists);
  auto memory = FactsMemory::create(table.bytes);
  if (!memory) return tl::make_unexpected(memory.error());
  campaign.facts = std::move(*memory);
  campaign.checkpoint.campaign += fmt::format("\nfacts {:x}", hash_bytes(0, table.bytes));
  return fmt::format("distances to the places of the sequence are not known: {}", why);
}

}  // namespace

std::string facts_file(const CampaignRequest& options, const ProgramImage& image) {
  return options.facts.empty() ? facts_path(options.output, image.path) : options.facts;
}

std::string facts_path(const std::string& output, const std::string& program) {
  return (std::filesystem::path(output) / (std::filesystem::path(program).filename().string() + ".facts")).string();
}

Result<Facts> needed_facts(const CampaignRequest& options, const ProgramImage& image) {
  const std::string path = facts_file(options, image);
  std::error_code error;
  if (options.facts == "none" || (options.facts.empty() && !std::filesystem::exists(path, error))) {
    return cannot_test(
        "strategy " + options.strategy.substr(0, options.strategy.find(',')) + " needs static facts of the program",
        path, "run `ravel analyze' first");
  }
  return facts_of_build(path, image);
}

Result<std::string> use_facts(const CampaignRequest& options, const ProgramImage& image, CampaignOptions& campaign) {
  const bool none = options.facts == "none";
  if (none && options.points_of_pairs) {
    return usage_error("--points pairs cannot be combined with --facts none", "", "pairs are static facts");
  }
  if (searches_property(options.strategy)) {
    auto facts = needed_facts(options, image).and_then([&](Facts read) { return match_facts(std::move(read), image); });
    if (!facts) return tl::make_unexpected(facts.error());
    const std::string path = facts_file(options, image);
    return hand_over(*facts, path, options, image, campaign);
  }
  if (none && !options.focus.empty()) {
    return usage_error("--focus cannot be combined with --facts none", "", "places and variables are static facts");
  }
  const bool asked = options.points_of_pairs || !options.focus.empty() || (!options.facts.empty() && !none);
  const bool guided = !options.goal.empty();
  if (none && guided) return guide_without_facts(options, image, campaign, "--facts none");
  if (none || (!asked && !guided && points_for(options) == FactPoints::kNone)) return std::string();
  const std::string path = facts_file(options, image);
  std::error_code error;
  if (options.facts.empty() && !std::filesystem::exists(path, error)) {
    if (!asked && guided) return guide_without_facts(options, image, campaign, "run `ravel analyze' first");
    if (!asked) return only_earlier_pairs(options, image, campaign);
    return cannot_test(
        fmt::format("{} needs static facts of the program", options.focus.empty() ? "--points pairs" : "--focus"), path,
        "run `ravel analyze' first");
  }
  auto facts = facts_of_build(path, image).and_then([&](Facts read) { return match_facts(std::move(read), image); });
  if (!facts && asked) return tl::make_unexpected(facts.error());
  if (!facts && guided) return guide_without_facts(options, image, campaign, facts.error().line());
  if (!facts) return fmt::format("facts not used: {}", facts.error().line());
  return hand_over(*facts, path, options, image, campaign);
}

}  // namespace ravel
