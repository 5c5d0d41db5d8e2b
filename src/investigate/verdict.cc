// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Ravel authors
#include "investigate/verdict.h"

#include <fmt/format.h>

#include <string_view>
#include <utility>

#include "model/exit_code.h"

namespace ravel {
namespace {

// The first reason why the executions showed nothing; empty if they did.
std::string vacuity(const CampaignResult& campaign) {
  if (campaign.executions == 0)
    return "no execution finished: raise --time, or check whether the program starts at all";
  if (campaign.callouts == 0) {
    return "nothing is instrumented: compile the sources with `ravel c++', not only the link step";
  }
  if (campaign.threads_max < 2) {
    return "no second thread ever ran: test code that starts threads, or allow it with --allow-vacuous";
  }
  if (campaign.with_choice == 0) {
    return "no scheduling choice existed: two threads were never able to run at the same point; try --points all";
  }
  return {};
}

// Restarts explain nothing: a search that says no more than that has run out of its budget.
bool explains_gap(std::string_view note) {
  constexpr std::string_view kRestarts = "because new points were found";
  const bool only_restarts = note.starts_with("restarted ") && note.ends_with(kRestarts);
  return !note.empty() && !only_restarts;
}

std::string gap(const std::string& note) {
  if (explains_gap(note)) return "not every schedule was covered: " + note;
  std::string text = "the budget ended before every schedule was covered: raise --iterations or --time";
  return note.empty() ? text : text + "; " + note;
}

// Why executions that were there cannot be relied on; empty: they can.
std::string doubt(const VerdictInput& input) {
  if (input.not_confirmed > 0 && input.cut_short == input.not_confirmed)
    return "a failing execution could not be confirmed: the process that repeated it gave no result";
  if (input.not_confirmed > 0)
    return "a failing execution could not be reproduced: the program is not deterministic under Ravel";
  if (!input.undecided.empty())
    return fmt::format("{}; ravel run --free runs the program on real threads", input.undecided);
  if (input.verify && input.campaign.mismatches > 0) {
    return fmt::format("{} plans gave two different traces: the program is not deterministic under Ravel{}{}",
                       input.campaign.mismatches, input.difference.empty() ? "" : "; ", input.difference);
  }
  return {};
}

}  // namespace

Verdict judge(const VerdictInput& input) {
  const CampaignResult& campaign = input.campaign;
  Verdict verdict;
  // Races are then why nothing can be said of the program's orders; any other defect stands by itself.
  const bool cut = campaign.interrupted || !campaign.internal_error.empty();
  const bool diverged = !input.divergence.empty() && input.confirmed == input.races && !cut;
  if (input.confirmed > 0 && !diverged) {
    verdict.exit_code = kExitDefect;
    return verdict;
  }
  if (!campaign.internal_error.empty()) {
    verdict.exit_code = kExitInternal;
    verdict.reason = campaign.internal_error;
    return verdict;
  }
  if (campaign.interrupted) {
    verdict.exit_code = kExitInterrupted;
    verdict.reason = "interrupted";
    return verdict;
  }
  if (diverged) {
    verdict.exit_code = kExitCannotTest;
    verdict.reason = input.divergence;
    return verdict;
  }
  if (std::string why = doubt(input); !why.empty()) {
    verdict.exit_code = kExitCannotTest;
    verdict.reason = std::move(why);
    return verdict;
  }
  // A search that one process does alone leaves nothing for the other shards.
  if (input.shard_index != 0 && campaign.executions == 0 && campaign.complete) return verdict;
  if (std::string why = vacuity(campaign); !why.empty()) {
    verdict.vacuous = true;
    verdict.reason = why;
    verdict.exit_code = input.allow_vacuous ? kExitClean : kExitCannotTest;
    return verdict;
  }
  if ((input.expect_complete && !campaign.complete) || (input.exhaustive && !campaign.promise_kept)) {
    verdict.exit_code = kExitInconclusive;
    verdict.reason = gap(campaign.strategy_note);
    return verdict;
  }
  return verdict;
}

}  // namespace ravel
