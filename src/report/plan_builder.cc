// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Ravel authors
#include "report/plan_builder.h"

#include <filesystem>

#include "model/text/seed_string.h"
#include "report/racy_names.h"
#include "report/schedule_names.h"

namespace ravel {
namespace {

constexpr std::size_t kMaxSeedSegments = 64;  // about 200 characters
constexpr std::size_t kMaxSeedRacy = 64;

}  // namespace

PlanFile build_plan(const PlanOrigin& origin, const Finding& finding, Names& names) {
  const ExecutionRecord& record = names.record();
  const ProgramStart& program = origin.replayed.program;
  PlanFile plan;
  plan.program = origin.image.path;
  plan.arguments.assign(program.argv.begin() + 1, program.argv.end());
  std::error_code ignored;
  plan.cwd = program.cwd.empty() ? std::filesystem::current_path(ignored).string() : program.cwd;
  plan.stdin_path = origin.stdin_path.empty() ? program.stdin_path : origin.stdin_path;
  plan.scratch = program.scratch;
  plan.regions = program.regions.patterns;
  plan.build_id = origin.image.build_id;
  plan.strategy = origin.strategy;
  plan.seed = origin.seed;
  plan.spec = origin.replayed.plan;
  plan.spec.stop_at = 0;
  plan.spec.stop_at_failure = 0;
  plan.spec.on_divergence = OnDivergence::kStop;
  plan.racy = name_racy(names.symbolizer(), origin.replayed.racy);
  plan.expect_exit = origin.replayed.expect_exit;
  plan.outcome = finding.kind;
  plan.message = finding.message;
  plan.outcome_place = finding.place;
  plan.hash = finding.hash;
  plan.events = finding.events;
  plan.cost = PlanCost{record.preemptions, record.switches};
  for (ThreadIndex i = 0; i < record.threads.size(); ++i) {
    plan.threads.push_back({lineage_of(record.threads, i), text_of(record.threads[i].name)});
  }
  plan.schedule = name_schedule(record, names);
  for (PlanSegment& segment : plan.schedule) {  // a tampered table must not make a plan that cannot be read
    if (!segment.is_data && segment.choice >= plan.threads.size()) segment.choice = 0;
  }
  plan.spec.prefix_segments = static_cast<std::uint32_t>(plan.schedule.size());
  plan.spec.racy_locations = static_cast<std::uint32_t>(plan.racy.size());
  return plan;
}

std::string build_seed_string(const PlanOrigin& origin, bool policy_decides) {
  SeedString seed;
  seed.build_tag = build_tag_of(origin.image.build_id);
  seed.plan = origin.replayed.plan;
  seed.racy = origin.replayed.racy;
  if (!policy_decides) seed.prefix = origin.replayed.prefix;
  if (seed.racy.size() > kMaxSeedRacy || seed.prefix.size() > kMaxSeedSegments) return {};
  return write_seed_string(seed);
}

}  // namespace ravel
