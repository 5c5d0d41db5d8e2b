// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Ravel authors
//
// Results of shards as one: sums, findings by fingerprint, exit codes, and files that do not belong together.
#include <gtest/gtest.h>

#include <nlohmann/json.hpp>

#include "report/merge.h"

namespace ravel {
namespace {

using nlohmann::json;

json shard(unsigned index, unsigned count) {
  return {{"schema_version", 1},
          {"command", "run"},
          {"program", "/p"},
          {"arguments", json::array()},
          {"build_id", "ab"},
          {"strategy", "pos"},
          {"seed", 1},
          {"points", "racy"},
          {"timeouts", "fair"},
          {"shard_index", index},
          {"shard_count", count},
          {"executions", 100 + index},
          {"seconds", 0.5},
          {"distinct_traces", 10},
          {"complete", false},
          {"vacuous", false},
          {"exit_code", 0},
          {"operations", {{"lock", 3}}},
          {"notes", {"n"}},
          {"findings", json::array()}};
}

json finding(const char* print, unsigned preemptions) {
  return {{"kind", "assertion"},
          {"message", "m"},
          {"fingerprint", print},
          {"location", {{"text", "a.cpp:1"}}},
          {"preemptions", preemptions},
          {"switches", 3},
          {"times_seen", 2},
          {"plan", "p" + std::to_string(preemptions)}};
}

Result<MergedRuns> merged(const std::vector<json>& shards) {
  std::vector<ShardText> texts;
  for (std::size_t i = 0; i < shards.size(); ++i) texts.push_back({"s" + std::to_string(i), shards[i].dump()});
  return merge_runs(texts);
}

TEST(Merge, SumsAndUnionOfFindings) {
  json a = shard(0, 2);
  json b = shard(1, 2);
  a["findings"] = {finding("1", 3), finding("2", 0)};
  b["findings"] = {finding("3", 1), finding("1", 1)};
  a["exit_code"] = b["exit_code"] = 1;
  b["distinct_traces"] = 20;
  const auto result = merged({a, b});
  ASSERT_TRUE(result);
  EXPECT_EQ(result->exit_code, 1);
  const json sum = json::parse(result->json);
  EXPECT_EQ(sum["executions"], 201);
  EXPECT_EQ(sum["seconds"], 1.0);
  EXPECT_EQ(sum["distinct_traces"], 20);
  EXPECT_EQ(sum["operations"]["lock"], 6);
  EXPECT_EQ(sum["notes"], json({"n"}));
  EXPECT_EQ(sum["shards"], json({0, 1}));
  ASSERT_EQ(sum["findings"].size(), 3u);
  EXPECT_EQ(sum["findings"][0]["plan"], "p1");  // the simpler schedule of the two
  EXPECT_EQ(sum["findings"][0]["times_seen"], 4);
  EXPECT_NE(result->summary.find("2 of 2 shards, 201 executions, 3 findings"), std::string::npos) << result->summary;
}

TEST(Merge, CompleteOnlyIfAllAreThereAndComplete) {
  json a = shard(0, 2);
  json b = shard(1, 2);
  a["complete"] = b["complete"] = true;
  const auto both = merged({a, b});
  ASSERT_TRUE(both);
  EXPECT_EQ(json::parse(both->json)["complete"], true);
  EXPECT_EQ(both->exit_code, 0);
  const auto one = merged({a});
  ASSERT_TRUE(one);
  EXPECT_EQ(json::parse(one->json)["complete"], false);
  EXPECT_EQ(one->exit_code, 5);
  EXPECT_EQ(json::parse(one->json)["reason"], "1 of 2 shards are missing");
  b["complete"] = false;
  EXPECT_EQ(json::parse(merged({a, b})->json)["complete"], false);
}

TEST(Merge, ExitCodes) {
  const auto code = [](int first, bool first_vacuous, int second, bool second_vacuous) {
    json a = shard(0, 2);
    json b = shard(1, 2);
    a["exit_code"] = first;
    a["vacuous"] = first_vacuous;
    b["exit_code"] = second;
    b["vacuous"] = second_vacuous;
    return merged({a, b})->exit_code;
  };
  EXPECT_EQ(code(0, false, 0, false), 0);
  EXPECT_EQ(code(0, false, 3, true), 0);  // the other one tested something
  EXPECT_EQ(code(3, true, 3, true), 3);
  EXPECT_EQ(code(0, false, 3, false), 3);
  EXPECT_EQ(code(5, false, 0, false), 5);
  EXPECT_EQ(code(5, false, 4, false), 4);
  EXPECT_EQ(code(130, false, 0, false), 130);
}

TEST(Merge, WhatDoesNotBelongTogetherIsSaid) {
  const auto line = [](const std::vector<json>& shards) {
    const auto result = merged(shards);
    return result ? std::string("merged") : result.error().line();
  };
  json other = shard(1, 2);
  other["build_id"] = "cd";
  EXPECT_NE(line({shard(0, 2), other}).find("another `build_id'"), std::string::npos) << line({shard(0, 2), other});
  EXPECT_NE(line({shard(0, 2), shard(0, 2)}).find("shard 0 is there twice"), std::string::npos);
  EXPECT_NE(line({shard(2, 2)}).find("bad shard_index"), std::string::npos);
  EXPECT_NE(line({}).find("no results"), std::string::npos);
  EXPECT_NE(line({json::array()}).find("not JSON"), std::string::npos);
  EXPECT_NE(line({json{{"command", "replay"}}}).find("not a result"), std::string::npos);
  EXPECT_FALSE(merge_runs({{"x", "{\"command\": "}}));
}

TEST(Merge, HostileContentsDoNotThrow) {
  json a = shard(0, 2);
  json b = shard(1, 2);
  a["findings"] = {1, "text", json::object(), {{"fingerprint", 7}, {"location", 3}}};
  b["findings"] = {json::array(), {{"fingerprint", 7}, {"times_seen", "x"}}};
  a["operations"] = "no";
  b["operations"] = {{"lock", "many"}};
  a["executions"] = "x";
  b["seconds"] = nullptr;
  a["notes"] = 3;
  EXPECT_NO_THROW({ (void)merged({a, b}); });
}

}  // namespace
}  // namespace ravel
