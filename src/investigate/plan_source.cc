// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Ravel authors
#include "investigate/plan_source.h"

#include <algorithm>

#include "detect/detector_table.h"
#include "driver/plan_store.h"
#include "investigate/standard_input.h"
#include "model/text/policy_text.h"
#include "report/racy_names.h"
#include "report/region_patterns.h"
#include "symbols/symbolizer.h"

namespace ravel {
namespace {

ReplayOptions replay_of(const PlanSource& source, const std::vector<std::string>& program) {
  ReplayOptions replay;
  if (source.plan) {
    replay.plan = source.plan->spec;
    replay.prefix = source.plan->segments();
    replay.expect_exit = source.plan->expect_exit;
    for (const RacyPlace& racy : source.plan->racy) replay.racy.push_back(racy.location);
  } else {
    replay.plan = source.seed->plan;
    replay.prefix = source.seed->prefix;
    replay.racy = source.seed->racy;
  }
  if (!program.empty()) {
    replay.program.argv = program;
    replay.program.stdin_path = redirected_stdin();
  } else {
    replay.program.argv = {source.plan->program};
    replay.program.argv.insert(replay.program.argv.end(), source.plan->arguments.begin(), source.plan->arguments.end());
    replay.program.cwd = source.plan->cwd;
    replay.program.stdin_path = source.plan->stdin_path;
    replay.program.scratch = source.plan->scratch;
  }
  // The usual ones, those that may tell the cause, and what the plan is about.
  replay.detectors = default_detectors() | explaining_detectors();
  if (source.plan) replay.detectors |= detectors_of(source.plan->outcome);
  return replay;
}

}  // namespace

Result<PlanSource> read_plan_source(const std::string& text) {
  constexpr std::string_view kPolicy = "policy:";
  PlanSource source;
  source.name = text;
  if (text.substr(0, kPolicy.size()) == kPolicy) {
    const auto policy = parse_policy(std::string_view(text).substr(kPolicy.size()));
    if (!policy) return usage_error("not a policy", text, "for example policy:random,seed=7; `ravel list' shows all");
    source.seed.emplace();
    source.seed->plan.policy = *policy;
    return source;
  }
  if (looks_like_seed_string(text)) {
    auto seed = parse_seed_string(text);
    if (!seed) return tl::make_unexpected(seed.error());
    source.seed = std::move(*seed);
    return source;
  }
  auto plan = load_plan(text);
  if (!plan) return tl::make_unexpected(plan.error());
  source.plan = std::move(*plan);
  return source;
}

Result<PreparedPlan> prepare_plan(PlanSource source, const std::vector<std::string>& program, RacyPlaces places) {
  if (!source.plan && program.empty()) {
    return usage_error("no program given", source.name, "a seed string names none: ravel replay rv1:... -- ./program");
  }
  PreparedPlan out;
  out.replay = replay_of(source, program);
  auto image = testable_program(out.replay.program.argv[0]);
  if (!image) return tl::make_unexpected(image.error());
  out.image = std::move(*image);
  out.replay.program.path = out.image.path;
  if (source.plan) {
    auto regions = find_region_functions(source.plan->regions, out.image.path);
    if (!regions) return tl::make_unexpected(regions.error());
    out.replay.program.regions = std::move(*regions);
  }
  if (source.plan) {
    out.same_build = source.plan->build_id == out.image.build_id;
    if (!out.same_build && !source.plan->racy.empty()) {
      Symbolizer symbolizer;
      symbolizer.set_module(0, out.image.path, 0);
      out.replay.racy.clear();
      auto racy = locate_racy(symbolizer, source.plan->racy);
      if (racy) out.replay.racy = std::move(*racy);
      for (const RacyPlace& place : source.plan->racy) {
        if (racy) break;
        if (places == RacyPlaces::kAll) return tl::make_unexpected(racy.error());
        if (auto one = locate_racy(symbolizer, {place}); one)
          out.replay.racy.insert(out.replay.racy.end(), one->begin(), one->end());
      }
      std::sort(out.replay.racy.begin(), out.replay.racy.end());
    }
  } else {
    out.same_build = source.seed->build_tag == 0 || source.seed->build_tag == build_tag_of(out.image.build_id);
  }
  out.source = std::move(source);
  return out;
}

}  // namespace ravel
