// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Ravel authors
#include "cli/progress_line.h"

#include <fmt/format.h>
#include <unistd.h>

#include <cstdio>

#include "report/console.h"

namespace ravel {
namespace {

constexpr double kPlainEvery = 10;  // seconds

// Two digits say all there is to say.
std::uint64_t rounded(std::uint64_t number) {
  std::uint64_t unit = 1;
  while (number / unit >= 100) unit *= 10;
  return (number + unit / 2) / unit * unit;
}

std::string estimate_text(const CampaignResult& so_far) {
  const CampaignEstimate& estimate = so_far.estimate;
  if (estimate.executions <= so_far.executions) return {};
  return fmt::format(", of about {} ({} to {})", grouped(rounded(estimate.executions)), grouped(rounded(estimate.low)),
                     grouped(rounded(estimate.high)));
}

}  // namespace

ProgressLine::ProgressLine(bool enabled) : enabled_(enabled), terminal_(isatty(STDERR_FILENO) != 0) {}

void ProgressLine::show(const CampaignResult& so_far) {
  if (!enabled_) return;
  if (!terminal_ && so_far.seconds - last_plain_ < kPlainEvery) return;
  last_plain_ = so_far.seconds;
  const double rate = so_far.seconds > 0 ? static_cast<double>(so_far.executions) / so_far.seconds : 0;
  std::string text = fmt::format("{}, {}/s, {} different traces, {:.0f} s", grouped(so_far.executions, "execution"),
                                 rate_text(rate), grouped(so_far.distinct_traces), so_far.seconds);
  text += estimate_text(so_far);
  if (terminal_) {
    fmt::print(stderr, "\r\x1b[K{}", text);
    std::fflush(stderr);
    shown_ = true;
  } else {
    fmt::print(stderr, "{}\n", text);
  }
}

void ProgressLine::clear() {
  if (shown_) fmt::print(stderr, "\r\x1b[K");
  std::fflush(stderr);
  shown_ = false;
}

}  // namespace ravel
