// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Ravel authors
#include "investigate/replay_verdict.h"

#include <fmt/format.h>
#include <signal.h>

#include <algorithm>

#include "model/exit_code.h"

namespace ravel {
namespace {

ReplayVerdict diverged(std::string reason) {
  return {kExitCannotTest, ReplayEnd::kDiverged, std::move(reason)};
}

std::string divergence_text(const ReplayFacts& facts) {
  const ExecutionRecord& record = facts.result.record;
  std::string text = fmt::format("decision {}", record.diverged_at);
  if ((record.expected_thread & kDataChoice) != 0) {
    text += fmt::format(": expected choice {}", record.expected_thread & ~kDataChoice);
  } else if (facts.plan != nullptr && record.expected_thread < facts.plan->threads.size()) {
    text += fmt::format(": expected {} to run", facts.plan->threads[record.expected_thread].lineage);
  } else {
    text += fmt::format(": expected T{} to run", record.expected_thread);
  }
  text += ", it could not";
  if (!record.message.empty()) text += fmt::format(" ({})", record.message);
  if (facts.misfit) text += "; " + *facts.misfit;
  return text;
}

bool was_detected(const ExecutionRecord& record, OutcomeKind kind) {
  return std::any_of(record.detections.begin(), record.detections.end(),
                     [&](const DetectionRecord& found) { return found.kind == kind; });
}

bool failed(const ReplayFacts& facts) {
  const ExecutionRecord& record = facts.result.record;
  if (is_defect(record.outcome)) return true;
  // A race does not end an execution: it is only asked for when the plan is about one, or nothing was promised.
  if (!record.races.empty() && (facts.plan == nullptr || facts.plan->outcome == OutcomeKind::kDataRace)) return true;
  return facts.plan != nullptr && was_detected(record, facts.plan->outcome);
}

}  // namespace

ReplayVerdict judge_replay(const ReplayFacts& facts) {
  const ExecutionRecord& record = facts.result.record;
  if (facts.result.interrupted) return {kExitInterrupted, ReplayEnd::kInterrupted, "interrupted"};
  if (facts.stops && record.outcome == OutcomeKind::kSignal && record.signal == SIGTRAP)
    return {kExitClean, ReplayEnd::kStopped, ""};
  if (record.outcome == OutcomeKind::kDiverged) {
    std::string text = divergence_text(facts);
    if (!facts.same_build) return diverged("the plan is for a different program: " + text);
    return diverged(std::move(text));
  }
  if (record.outcome == OutcomeKind::kInternal || record.outcome == OutcomeKind::kNotRun) {
    return {kExitInternal, ReplayEnd::kDidNotRun,
            record.message.empty() ? "the execution did not run" : record.message};
  }
  if (record.outcome == OutcomeKind::kKilled) return diverged("the program was killed from outside");
  if (facts.result.mismatches > 0) {
    return diverged(fmt::format("{} of {} runs gave another trace: the program is not deterministic under Ravel{}{}",
                                facts.result.mismatches, facts.result.runs, facts.difference.empty() ? "" : "; ",
                                facts.difference));
  }
  const bool defect = failed(facts);
  if (facts.plan == nullptr || facts.goes_on) {
    return defect ? ReplayVerdict{kExitDefect, ReplayEnd::kReproduced, ""}
                  : ReplayVerdict{kExitClean, ReplayEnd::kClean, ""};
  }
  const PlanFile& plan = *facts.plan;
  const bool expects_defect = is_defect(plan.outcome);
  const bool same_kind = plan.outcome == OutcomeKind::kDataRace
                             ? defect
                             : record.outcome == plan.outcome || was_detected(record, plan.outcome);
  const bool same_hash = facts.hash == plan.hash;
  const bool same_failure = expects_defect && same_kind && facts.place == plan.outcome_place;
  const std::string found(outcome_name(record.outcome));

  if (!facts.same_build && !same_hash && !same_failure) {
    if (facts.misfit) return diverged("the plan is for a different program: " + *facts.misfit);
    if (plan.schedule.empty())
      return diverged("the plan is for a different program: the trace differs from the first event on");
  }
  if (facts.same_build && !same_kind) {
    return diverged(fmt::format("expected {}, found {}: the program is not deterministic under Ravel",
                                outcome_name(plan.outcome), found));
  }
  if (defect) {
    if (!same_kind)
      return {kExitDefect, ReplayEnd::kReproduced,
              fmt::format("another defect: expected {}, found {}", outcome_name(plan.outcome), found)};
    return {kExitDefect, ReplayEnd::kReproduced,
            same_hash ? "" : "same defect, but the trace differs from the recorded one"};
  }
  if (facts.same_build && !same_hash) return diverged("the trace differs from the recorded one");
  return {kExitClean, ReplayEnd::kClean,
          expects_defect ? fmt::format("the recorded {} did not happen", outcome_name(plan.outcome)) : ""};
}

}  // namespace ravel
