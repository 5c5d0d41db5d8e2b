// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Ravel authors
#include "report/values_text.h"

#include <fmt/format.h>

#include "model/text/printable.h"
#include "report/console.h"

namespace ravel {
namespace {

std::uint64_t fate(const ValueCounts& values, GoalFate which) {
  return values.fates[static_cast<std::size_t>(which)];
}

// "0.4 s", "1.2 ms".
std::string duration_text(double seconds) {
  return seconds < 0.1 ? fmt::format("{:.1f} ms", seconds * 1e3) : fmt::format("{:.1f} s", seconds);
}

// "branch 3, blocked 1", the first with its place.
std::string reasons(const ValueCounts& values, const ValuePlaces& places) {
  std::string text;
  for (std::size_t i = 0; i < std::size(kGoalFateNames); ++i) {
    const auto which = static_cast<GoalFate>(i);
    if (!is_dropped(which) || values.fates[i] == 0) continue;
    text += fmt::format("{}{} by {}", text.empty() ? "" : ", ", grouped(values.fates[i]), kGoalFateNames[i]);
    if (which == GoalFate::kBranch && values.entered == 0 && !places.skipped.empty())
      text += fmt::format(": {} is skipped by its branch", printable_line(places.skipped));
    if (which == GoalFate::kCallee && !places.skipped.empty() && !places.entered.empty())
      text += fmt::format(": {} was called, and {} is not in it", printable_line(places.entered),
                          printable_line(places.skipped));
  }
  return text;
}

}  // namespace

std::string values_summary(const CampaignResult& campaign, const ValuePlaces& places) {
  const ValueCounts& values = campaign.values;
  if (values.searches == 0) return {};
  std::uint64_t dropped = 0;
  for (std::size_t i = 0; i < std::size(kGoalFateNames); ++i) {
    if (is_dropped(static_cast<GoalFate>(i))) dropped += values.fates[i];
  }
  std::uint64_t fulfilled = fate(values, GoalFate::kFulfilled) + fate(values, GoalFate::kForEver);
  // Goals that were run out of turn are run again in their turn, unless the search ended before.
  if (!campaign.complete && !campaign.promise_kept) {
    fulfilled += values.priority_fulfilled;
    dropped += values.priority - values.priority_fulfilled;
  }
  const std::uint64_t goals = fulfilled + dropped;
  const bool apart = values.slices > 1 && campaign.promise_kept;
  std::string text = fmt::format("{}{}: {} fail", grouped(campaign.executions, "value schedule"),
                                 campaign.complete ? ", all run"
                                 : apart ? fmt::format(", each order seen ({} apart)", grouped(values.slices, "slice"))
                                         : " so far",
                                 grouped(values.failing));
  text += fmt::format(". {}: {} fulfilled, {} dropped", grouped(goals, "goal"), grouped(fulfilled), grouped(dropped));
  if (const std::string why = reasons(values, places); !why.empty()) text += fmt::format(" ({})", why);
  text += fmt::format("\n{}, {} seen to conflict", grouped(values.points, "point"), grouped(values.pairs, "pair"));
  if (values.assumed != 0) text += fmt::format(", {} more by static facts", grouped(values.assumed));
  if (values.added != 0 && values.assumed != 0) text += fmt::format(", {} that they lack", grouped(values.added));
  if (values.kept != 0) text += fmt::format("; {} known from earlier runs", grouped(values.kept));
  if (values.priority != 0)
    text += fmt::format("; {} out of turn, {} fulfilled", grouped(values.priority, "goal"),
                        grouped(values.priority_fulfilled));
  if (values.marked != 0) text += fmt::format("; {} schedules of the focus came first", grouped(values.marked));
  if (values.searches > 1)
    text += fmt::format("; {} searches, {} runs in all", grouped(values.searches), grouped(values.all_runs));
  text +=
      fmt::format("\nanalysis {}, planning {}, running {}", duration_text(static_cast<double>(values.analysis) / 1e3),
                  duration_text(static_cast<double>(values.planning) / 1e9),
                  duration_text(static_cast<double>(values.running) / 1e9));
  return text + "\n";
}

}  // namespace ravel
