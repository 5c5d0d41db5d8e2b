// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Ravel authors
#include "report/campaign_json.h"

#include <fmt/format.h>

#include <cstdlib>
#include <nlohmann/json.hpp>
#include <string>
#include <type_traits>

#include "driver/campaign_fields.h"
#include "explore/portfolio_parts.h"

namespace ravel {
namespace {

using Json = nlohmann::ordered_json;

template <class T>
requires std::is_arithmetic_v<T> Json encode(T value) {
  return value;
}
Json encode(const std::string& text) {
  return text;
}
Json encode(const std::vector<std::uint64_t>& list) {
  return list;
}
Json encode(TraceDigest digest) {
  return fmt::format("{:016x}", static_cast<std::uint64_t>(digest));
}
Json encode(Isolation isolation) {
  return kIsolationNames[static_cast<std::size_t>(isolation)];
}
Json encode(const CampaignEstimate& estimate) {
  if (estimate.executions == 0) return nullptr;
  return {{"executions", estimate.executions}, {"low", estimate.low}, {"high", estimate.high}};
}
Json encode(const OperationCounts& operations) {
  Json json = Json::object();
  for (std::size_t i = 0; i < operations.size(); ++i) {
    if (operations[i] != 0) json[std::string(kOperationTable[i].name)] = operations[i];
  }
  return json;
}
Json encode(const ValueCounts& values) {
  if (values.searches == 0) return nullptr;
  Json goals = Json::object();
  Json fates = Json::object();
  for (std::size_t i = 0; i < std::size(kOrderKindNames); ++i) goals[std::string(kOrderKindNames[i])] = values.goals[i];
  for (std::size_t i = 0; i < std::size(kGoalFateNames); ++i) fates[std::string(kGoalFateNames[i])] = values.fates[i];
  return {{"searches", values.searches},
          {"pairs", values.pairs},
          {"assumed", values.assumed},
          {"added", values.added},
          {"refuted", values.refuted},
          {"kept", values.kept},
          {"points", values.points},
          {"failing", values.failing},
          {"priority", values.priority},
          {"priority_fulfilled", values.priority_fulfilled},
          {"marked", values.marked},
          {"slices", values.slices},
          {"asked", values.asked},
          {"cached", values.cached},
          {"goals", goals},
          {"fates", fates},
          {"all", {{"points", values.all_points}, {"runs", values.all_runs}, {"events", values.all_events}}},
          {"seconds",
           {{"analysis", static_cast<double>(values.analysis) / 1e3},
            {"planning", static_cast<double>(values.planning) / 1e9},
            {"running", static_cast<double>(values.running) / 1e9}}}};
}
Json encode(const PartResults& parts) {
  Json json = Json::object();
  for (std::size_t i = 0; i < kPartCount; ++i) {
    const PartResult& part = parts[i];
    if (part.executions == 0) continue;
    json[std::string(kPartTable[i].name)] = {
        {"executions", part.executions}, {"distinct_traces", part.distinct_traces}, {"found", part.found}};
  }
  return json;
}
Json encode(const std::vector<ExploredCall>& calls) {
  Json list = Json::array();
  for (const ExploredCall& call : calls) {
    list.push_back({{"call", call.call},
                    {"name", call.name},
                    {"executions", call.executions},
                    {"distinct_traces", call.distinct_traces},
                    {"complete", call.complete},
                    {"found", call.found}});
  }
  return list;
}
Json encode(const std::vector<CampaignSample>& curve) {
  Json list = Json::array();
  for (const CampaignSample& sample : curve) {
    list.push_back({{"seconds", sample.seconds},
                    {"executions", sample.executions},
                    {"distinct_traces", sample.distinct_traces},
                    {"found", sample.found}});
  }
  return list;
}

// `value` stays as it is when `json` is of another type.
template <class T>
requires std::is_arithmetic_v<T>
void decode(const Json& json, T& value) {
  if constexpr (std::is_same_v<T, bool>) {
    if (json.is_boolean()) value = json.get<bool>();
  } else if constexpr (std::is_floating_point_v<T>) {
    if (json.is_number()) value = json.get<T>();
  } else {
    if (json.is_number_unsigned()) value = json.get<T>();
  }
}
void decode(const Json& json, std::string& text) {
  if (json.is_string()) text = json.get<std::string>();
}
void decode(const Json& json, TraceDigest& digest) {
  if (json.is_string()) digest = TraceDigest{std::strtoull(json.get<std::string>().c_str(), nullptr, 16)};
}
void decode(const Json& json, Isolation& isolation) {
  for (std::size_t i = 0; i < std::size(kIsolationNames); ++i) {
    if (json == kIsolationNames[i]) isolation = static_cast<Isolation>(i);
  }
}
void decode(const Json& json, CampaignEstimate& estimate) {
  if (!json.is_object()) return;
  decode(json.value("executions", Json()), estimate.executions);
  decode(json.value("low", Json()), estimate.low);
  decode(json.value("high", Json()), estimate.high);
}
void decode(const Json& json, OperationCounts& operations) {
  if (!json.is_object()) return;
  for (std::size_t i = 0; i < operations.size(); ++i) {
    decode(json.value(std::string(kOperationTable[i].name), Json()), operations[i]);
  }
}

void decode(const Json& json, PartResults& parts) {
  if (!json.is_object()) return;
  for (std::size_t i = 0; i < kPartCount; ++i) {
    const Json part = json.value(std::string(kPartTable[i].name), Json::object());
    if (!part.is_object()) continue;
    decode(part.value("executions", Json()), parts[i].executions);
    decode(part.value("distinct_traces", Json()), parts[i].distinct_traces);
    decode(part.value("found", Json()), parts[i].found);
  }
}

CampaignResult read_campaign(const Json& json) {
  CampaignResult campaign;
  for_each_field([&](const auto& field) {
    using Field = std::remove_cvref_t<decltype(field)>;
    if constexpr (Field::in_json && !Field::first_shard_only) {
      decode(json.value(field.name, Json()), campaign.*field.member);
    }
  });
  return campaign;
}

}  // namespace

void write_campaign(Json& json, const CampaignResult& campaign) {
  for_each_field([&](const auto& field) {
    if constexpr (std::remove_cvref_t<decltype(field)>::in_json) json[field.name] = encode(campaign.*field.member);
  });
}

void add_shard(Json& total, const Json& shard) {
  CampaignResult sum = read_campaign(total);
  add_result<Adding::kShards>(sum, read_campaign(shard));
  for_each_field([&](const auto& field) {
    using Field = std::remove_cvref_t<decltype(field)>;
    if constexpr (Field::in_json && !Field::first_shard_only) {
      if (total.contains(field.name) || shard.contains(field.name)) total[field.name] = encode(sum.*field.member);
    }
  });
}

}  // namespace ravel
