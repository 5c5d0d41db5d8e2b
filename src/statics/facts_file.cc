// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Ravel authors
#include "statics/facts_file.h"

#include <fmt/format.h>

#include <fstream>
#include <iterator>

#include "statics/graph_file.h"
#include "statics/json_fields.h"
#include "statics/pair_groups.h"

namespace ravel {
namespace {

using namespace facts_fields;
using facts_fields::json_of;

Json json_of(const ThreadClass& one) {
  Json json = {{"name", one.name}, {"entry", one.entry}, {"many", one.many}, {"creators", one.creators}};
  if (one.assumed) json["assumed"] = true;
  if (one.created_at.line != 0) json["created_at"] = json_of(one.created_at);
  if (one.context.line != 0) json["context"] = json_of(one.context);
  return json;
}

Json json_of(const Site& site) {
  Json json = {{"class", site.thread_class},   {"kind", kSiteKindNames[static_cast<int>(site.kind)]},
               {"place", json_of(site.place)}, {"function", site.function},
               {"objects", site.objects},      {"locks", site.locks}};
  if (site.context.line != 0) json["context"] = json_of(site.context);
  for (const CodePlace& place : site.inside) json["inside"].push_back(json_of(place));
  return json;
}

constexpr std::uint64_t kMostPairs = 20'000'000;  // of a file

Json json_of(const PairGroup& group) {
  return {{"kind", kPairKindNames[static_cast<int>(group.kind)]},
          {"first", group.first},
          {"second", group.second},
          {"must", group.must},
          {"object", group.object}};
}

void read_classes(const Json& json, Facts& facts) {
  const Json& list = list_of(json, "classes");
  for (const Json& row : list) {
    ThreadClass one;
    one.name = text_of(row, "name");
    one.entry = text_of(row, "entry");
    one.many = flag_of(row, "many");
    one.assumed = row.contains("assumed") && flag_of(row, "assumed");
    if (row.contains("created_at")) one.created_at = place_of(row["created_at"]);
    if (row.contains("context")) one.context = place_of(row["context"]);
    for (const Json& creator : list_of(row, "creators")) {
      if (!creator.is_number_unsigned() || creator.get<std::uint64_t>() >= list.size())
        throw WrongField("a creator is no class");
      one.creators.push_back(creator.get<unsigned>());
    }
    facts.classes.push_back(std::move(one));
  }
}

void read_sites(const Json& json, Facts& facts) {
  for (const Json& row : list_of(json, "sites")) {
    Site site;
    site.thread_class = number_of(row, "class", facts.classes.size());
    site.kind = static_cast<SiteKind>(row_of(row, "kind", kSiteKindNames));
    site.place = place_of(member(row, "place"));
    if (row.contains("context")) site.context = place_of(row["context"]);
    if (row.contains("inside")) {
      for (const Json& place : list_of(row, "inside")) site.inside.push_back(place_of(place));
    }
    site.function = text_of(row, "function");
    site.objects = texts_of(row, "objects");
    site.locks = texts_of(row, "locks");
    facts.sites.push_back(std::move(site));
  }
}

std::vector<unsigned> sites_of(const Json& row, const char* name, const Facts& facts) {
  std::vector<unsigned> sites;
  for (const Json& site : list_of(row, name)) {
    if (!site.is_number_unsigned() || site.get<std::uint64_t>() >= facts.sites.size())
      throw WrongField(fmt::format("a number in '{}' is no site", name));
    sites.push_back(site.get<unsigned>());
  }
  return sites;
}

void read_pairs(const Json& json, Facts& facts) {
  std::vector<PairGroup> groups;
  for (const Json& row : list_of(json, "pairs")) {
    groups.push_back({static_cast<PairKind>(row_of(row, "kind", kPairKindNames)), sites_of(row, "first", facts),
                      sites_of(row, "second", facts), flag_of(row, "must"), text_of(row, "object")});
  }
  auto pairs = pairs_of_groups(groups, kMostPairs);
  if (!pairs) throw WrongField(fmt::format("more than {} pairs", kMostPairs));
  facts.pairs = std::move(*pairs);
}

void read_warnings(const Json& json, Facts& facts) {
  for (const Json& row : list_of(json, "warnings")) {
    StaticWarning warning{text_of(row, "kind"), text_of(row, "text"), {}};
    warning.sites = sites_of(row, "sites", facts);
    facts.warnings.push_back(std::move(warning));
  }
  for (const Json& row : list_of(json, "targets")) {
    facts.targets.push_back({text_of(row, "kind"), place_of(member(row, "place")), text_of(row, "function")});
  }
}

Facts facts_of(const Json& json) {
  Facts facts;
  if (text_of(json, "format") != "ravel facts") throw WrongField("'format' is not \"ravel facts\"");
  const unsigned version = number_of(json, "version");
  if (version != kFactsFormatVersion)
    throw WrongField(fmt::format("version {} is not {}, the one this tool reads", version, kFactsFormatVersion));
  facts.build_id = text_of(json, "build_id");
  facts.opaque = texts_of(json, "opaque");
  facts.without = texts_of(json, "without");
  facts.coarse = flag_of(json, "coarse");
  facts.by_line = flag_of(json, "by_line");
  facts.any_thread = json.contains("any_thread") && flag_of(json, "any_thread");
  facts.functions = number_of(json, "functions");
  for (const Json& row : list_of(json, "sources")) {
    facts.sources.push_back({text_of(row, "path"), std::strtoull(text_of(row, "hash").c_str(), nullptr, 16)});
  }
  read_classes(json, facts);
  read_sites(json, facts);
  read_pairs(json, facts);
  read_warnings(json, facts);
  facts.graph = graph_from_json(member(json, "graph"), facts.classes.size());
  return facts;
}

}  // namespace

std::string facts_to_text(const Facts& facts, double seconds) {
  Json json = {{"format", "ravel facts"},    {"version", kFactsFormatVersion},
               {"build_id", facts.build_id}, {"milliseconds", static_cast<unsigned>(seconds * 1e3 + 0.5)},
               {"partial", facts.partial()}, {"coarse", facts.coarse},
               {"by_line", facts.by_line},   {"functions", facts.functions},
               {"opaque", facts.opaque},     {"without", facts.without}};
  if (facts.any_thread) json["any_thread"] = true;
  for (const char* list : {"sources", "classes", "sites", "warnings", "targets"}) json[list] = Json::array();
  for (const SourceFile& file : facts.sources)
    json["sources"].push_back({{"path", file.path}, {"hash", fmt::format("{:x}", file.hash)}});
  for (const ThreadClass& one : facts.classes) json["classes"].push_back(json_of(one));
  for (const Site& site : facts.sites) json["sites"].push_back(json_of(site));
  for (const StaticWarning& warning : facts.warnings)
    json["warnings"].push_back({{"kind", warning.kind}, {"text", warning.text}, {"sites", warning.sites}});
  for (const StaticTarget& target : facts.targets)
    json["targets"].push_back({{"kind", target.kind}, {"place", json_of(target.place)}, {"function", target.function}});
  const auto in_one_line = [](const Json& part) { return part.dump(-1, ' ', true, Json::error_handler_t::replace); };
  std::string text = json.dump(1, ' ', true, Json::error_handler_t::replace);
  text.resize(text.size() - 2);
  text += ",\n \"pairs\": [";
  const char* separator = "\n  ";
  for (const PairGroup& group : group_pairs(facts.pairs)) {
    text += separator + in_one_line(json_of(group));
    separator = ",\n  ";
  }
  // The graph is for machines.
  return text + "\n ],\n \"graph\": " + in_one_line(graph_to_json(facts.graph)) + "\n}\n";
}

Result<Facts> facts_from_text(std::string_view text, const std::string& name) {
  const Json json = Json::parse(text, nullptr, false);
  if (json.is_discarded()) return usage_error("not a facts file", name, "`ravel analyze' writes one");
  try {
    return facts_of(json);
  } catch (const WrongField& wrong) {
    return usage_error(fmt::format("not a facts file: {}", wrong.what()), name, "`ravel analyze' writes one");
  }
}

Result<Facts> read_facts(const std::string& path) {
  std::ifstream file(path, std::ios::binary);
  if (!file) return usage_error("cannot read the facts", path, "`ravel analyze' writes them");
  const std::string text{std::istreambuf_iterator<char>(file), {}};
  return facts_from_text(text, path);
}

double analysis_seconds(const std::string& path) {
  constexpr std::size_t kHead = 1024;
  constexpr std::string_view kKey = "\"milliseconds\": ";
  std::ifstream file(path, std::ios::binary);
  std::string text(kHead, '\0');
  file.read(text.data(), static_cast<std::streamsize>(text.size()));
  const std::size_t at = text.find(kKey);
  return at == std::string::npos
             ? 0
             : static_cast<double>(std::strtoul(text.c_str() + at + kKey.size(), nullptr, 10)) / 1e3;
}

}  // namespace ravel
