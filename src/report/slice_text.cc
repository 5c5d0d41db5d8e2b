// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Ravel authors
#include "report/slice_text.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "model/text/printable.h"
#include "report/console.h"

namespace ravel {
namespace {

constexpr std::size_t kMostLines = 6;

std::string list_of(const std::vector<std::string>& words) {
  std::vector<std::string> shown;
  for (const std::string& word : words) {
    if (shown.size() < kMostLines) shown.push_back(printable_line(word));
  }
  const std::string rest = words.size() > kMostLines ? fmt::format(" and {} more", words.size() - kMostLines) : "";
  return fmt::format("{}{}", fmt::join(shown, ", "), rest);
}

std::string round_text(const SliceRoundReport& round, std::size_t number) {
  std::string text =
      fmt::format("  round {:<2} {} at {}{}: {}, {}, {}\n", number, grouped(round.threads.size(), "thread"),
                  grouped(round.lines.size(), "line"), round.grain == "line" ? " as a whole" : "",
                  grouped(round.executions, "schedule"), grouped(round.states, "state"), round.end);
  if (!round.added_threads.empty()) text += fmt::format("           + {}\n", list_of(round.added_threads));
  if (!round.added_lines.empty()) text += fmt::format("           + {}\n", list_of(round.added_lines));
  return text;
}

std::string verdict_text(const SliceReport& slice, const Style& style) {
  const std::string targets = list_of(slice.targets);
  const std::string together = slice.targets.size() > 1 ? " at once" : "";
  if (slice.verdict == "error") return fmt::format("{} at {}{}", style.warn("ERROR"), targets, together);
  if (slice.verdict == "no-error") {
    return fmt::format("{} in the abstraction: {} not reached{}", style.good("NO ERROR"), targets, together);
  }
  return fmt::format("{}: {} not reached{} so far", style.warn("BUDGET"), targets, together);
}

}  // namespace

std::string slice_text(const SliceReport& slice, const GoalReport& goal, const Style& style) {
  if (slice.targets.empty()) return {};
  std::string text =
      fmt::format("{} ({}, {}){}\n", verdict_text(slice, style), grouped(slice.rounds.size(), "round"),
                  grouped(slice.states, "state"), slice.reason.empty() ? "" : ": " + printable_line(slice.reason));
  for (std::size_t i = 0; i < slice.rounds.size(); ++i) text += round_text(slice.rounds[i], i + 1);
  if (goal.reached) {
    text += fmt::format("reached in execution {}, which ended with {}\nreproduce:  ravel replay {}\n", goal.execution,
                        goal.outcome, printable_line(goal.plan));
  }
  return text;
}

}  // namespace ravel
