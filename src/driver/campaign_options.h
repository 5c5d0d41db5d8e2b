// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Ravel authors
//
// What the driver needs to know to run one campaign.
#pragma once

#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include "driver/budget.h"
#include "driver/checkpoint.h"
#include "driver/coverage_data.h"
#include "driver/facts_memory.h"
#include "driver/sequence_list.h"
#include "driver/session.h"
#include "model/outcome_listing.h"
#include "model/plan.h"
#include "model/target.h"

namespace ravel {

struct CampaignOptions {
  ProgramStart program;
  std::string strategy = "portfolio";  // name[,key=value...]
  DefectTarget target;                 // of strategies that work on a plan
  std::uint64_t seed = 0;
  Budget budget;
  Deadline deadline;
  std::uint32_t jobs = 1;
  bool one_tree = false;          // the jobs search one tree, else each has a part of its own
  std::uint32_t shard_index = 0;  // this is one of several campaigns that share the work
  std::uint32_t shard_count = 1;
  bool one_covers_all = false;     // what one job has covered is everything (StrategyRow::hosts_dpor)
  std::uint64_t patience = 0;      // as Campaign::patience
  std::uint64_t hang_ms = 10'000;  // as Campaign::hang_ms
  std::uint64_t busy_ms = 10'000;  // as Campaign::busy_ms
  bool open_first = false;         // the first execution decides the limit of steps of the others
  std::int32_t expect_exit = 0;
  bool keep_going = false;
  bool ends_at_goal = false;  // as Campaign::ends_at_goal
  bool verify = false;
  std::uint8_t outcomes = kListNothing;  // as Campaign::outcomes
  CheckpointOptions checkpoint;
  Isolation isolation = Isolation::kAuto;
  std::uint64_t detectors = 1;  // as Campaign::detectors
  std::uint64_t training = 0;   // as Campaign::training
  CoverageRequest coverage;
  bool explore_calls =
      false;  // each call of ravel::explore() is a campaign; a program that makes none is one as a whole
  PlanSpec base;
  std::shared_ptr<const FactsMemory> facts;  // null: none
  std::vector<Segment> schedule;             // of strategies that work on a plan: its schedule and its points
  std::vector<LocationId> racy;
  SequenceList sequence;  // every execution keeps to it
};

}  // namespace ravel
