// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Ravel authors
#include "report/merge.h"

#include <fmt/format.h>

#include <algorithm>
#include <nlohmann/json.hpp>
#include <set>

#include "model/exit_code.h"
#include "model/text/printable.h"
#include "report/campaign_json.h"
#include "report/console.h"
#include "report/json_report.h"
#include "report/json_text.h"

namespace ravel {
namespace {

using Json = nlohmann::ordered_json;

constexpr std::uint64_t kMostShards = 4096;
// What must be the same for results of one campaign.
constexpr std::string_view kSame[] = {"program", "arguments", "build_id", "strategy",
                                      "seed",    "points",    "timeouts", "shard_count"};
constexpr std::string_view kLists[] = {"notes", "not_confirmed", "uncontrolled"};

Result<Json> read_shard(const ShardText& shard) {
  Json json = Json::parse(shard.text, nullptr, false);
  if (json.is_discarded() || !json.is_object()) {
    return usage_error("not JSON", shard.name, "give the files that `ravel run --json FILE' wrote");
  }
  const bool run = json.value("command", Json()) == "run" && json.value("schema_version", Json()) == kJsonSchemaVersion;
  const Json count = json.value("shard_count", Json());
  const Json index = json.value("shard_index", Json());
  if (!run || !count.is_number_unsigned() || !index.is_number_unsigned() ||
      !json.value("findings", Json()).is_array()) {
    return usage_error("not a result of `ravel run'", shard.name, "give the files that `ravel run --json FILE' wrote");
  }
  if (count == 0 || count > kMostShards || index >= count)
    return usage_error("bad shard_index or shard_count", shard.name);
  return json;
}

// Findings of the same fingerprint are one; the simplest schedule is kept.
void add_findings(Json& list, const Json& more) {
  for (const Json& finding : more) {
    if (!finding.is_object()) continue;
    const Json print = finding.value("fingerprint", Json());
    const auto cost = [](const Json& f) {
      return std::pair(f.value("preemptions", Json(0)), f.value("switches", Json(0)));
    };
    auto same = std::find_if(list.begin(), list.end(), [&](const Json& known) {
      return !print.is_null() && known.value("fingerprint", Json()) == print;
    });
    if (same == list.end()) {
      list.push_back(finding);
      continue;
    }
    Json times = 0;
    if (finding.value("times_seen", Json()).is_number_unsigned() &&
        (*same).value("times_seen", Json()).is_number_unsigned()) {
      times = finding["times_seen"].get<std::uint64_t>() + (*same)["times_seen"].get<std::uint64_t>();
    }
    if (cost(finding) < cost(*same)) *same = finding;
    (*same)["times_seen"] = times;
  }
}

void add_lists(Json& sum, const Json& shard) {
  for (const std::string_view key : kLists) {
    const std::string name(key);
    if (!shard.value(name, Json()).is_array() || !sum.value(name, Json()).is_array()) continue;
    for (const Json& item : shard[name]) {
      if (std::find(sum[name].begin(), sum[name].end(), item) == sum[name].end()) sum[name].push_back(item);
    }
  }
  add_findings(sum["findings"], shard["findings"]);
}

// A defect if something was found; else the first trouble; a shard with nothing to do does not make the others vacuous.
ExitCode merged_exit_code(const std::vector<Json>& shards, const Json& sum) {
  if (!sum["findings"].empty()) return kExitDefect;
  const auto some = [&](ExitCode code) {
    return std::any_of(shards.begin(), shards.end(),
                       [&](const Json& s) { return s.value("exit_code", Json()) == code; });
  };
  for (const ExitCode code : {kExitInternal, kExitInterrupted}) {
    if (some(code)) return code;
  }
  const bool all_vacuous =
      std::all_of(shards.begin(), shards.end(), [](const Json& s) { return s.value("vacuous", Json()) == true; });
  const bool trouble = std::any_of(shards.begin(), shards.end(), [](const Json& s) {
    return s.value("exit_code", Json()) == kExitCannotTest && s.value("vacuous", Json()) != true;
  });
  if (trouble || (all_vacuous && some(kExitCannotTest))) return kExitCannotTest;
  return some(kExitInconclusive) ? kExitInconclusive : kExitClean;
}

}  // namespace

Result<MergedRuns> merge_runs(const std::vector<ShardText>& texts) {
  std::vector<Json> shards;
  std::set<std::uint64_t> seen;
  for (const ShardText& text : texts) {
    auto shard = read_shard(text);
    if (!shard) return tl::make_unexpected(shard.error());
    for (const std::string_view key : kSame) {
      const std::string name(key);
      if (shards.empty() || shards[0].value(name, Json()) == shard->value(name, Json())) continue;
      return usage_error(fmt::format("not of the same campaign as {}: another `{}'", texts[0].name, name), text.name);
    }
    if (!seen.insert((*shard)["shard_index"].get<std::uint64_t>()).second) {
      return usage_error(fmt::format("shard {} is there twice", (*shard)["shard_index"].get<std::uint64_t>()),
                         text.name);
    }
    shards.push_back(std::move(*shard));
  }
  if (shards.empty()) return usage_error("no results given", "", "ravel merge shard-0.json shard-1.json ...");

  Json sum = shards[0];
  sum["findings"] = Json::array();
  add_findings(sum["findings"], shards[0]["findings"]);
  for (std::size_t i = 1; i < shards.size(); ++i) {
    add_shard(sum, shards[i]);
    add_lists(sum, shards[i]);
  }
  const auto count = sum["shard_count"].get<std::uint64_t>();
  const bool all = shards.size() == count;
  const bool complete = all && sum.value("complete", Json()) == true;
  MergedRuns out;
  out.exit_code = merged_exit_code(shards, sum);
  if (!all && out.exit_code == kExitClean) out.exit_code = kExitInconclusive;
  sum["complete"] = complete;
  sum["vacuous"] = out.exit_code == kExitCannotTest && sum.value("vacuous", Json(false)) == true;
  sum["exit_code"] = out.exit_code;
  sum["shards"] = Json::array();
  for (const std::uint64_t index : seen) sum["shards"].push_back(index);
  const double seconds = sum.value("seconds", Json(0.0)).is_number() ? sum["seconds"].get<double>() : 0;
  const double executions = sum.value("executions", Json(0)).is_number() ? sum["executions"].get<double>() : 0;
  sum["executions_per_second"] = seconds > 0 ? executions / seconds : 0;
  if (!all) sum["reason"] = fmt::format("{} of {} shards are missing", count - shards.size(), count);
  out.json = json_text(sum);

  out.summary = fmt::format("{} of {}, {}, {}{}\n", shards.size(), grouped(count, "shard"),
                            grouped(static_cast<std::uint64_t>(executions), "execution"),
                            grouped(sum["findings"].size(), "finding"), complete ? ", complete" : "");
  const auto text_of = [](const Json& json, const char* key) {
    const Json value = json.is_object() ? json.value(key, Json()) : Json();
    return value.is_string() ? printable_line(value.get<std::string>()) : std::string();
  };
  for (const Json& finding : sum["findings"]) {
    out.summary += fmt::format("FAILED  {} {}  {}\n  reproduce: ravel replay {}\n", text_of(finding, "kind"),
                               text_of(finding, "message"), text_of(finding.value("location", Json()), "text"),
                               text_of(finding, "plan"));
  }
  return out;
}

}  // namespace ravel
