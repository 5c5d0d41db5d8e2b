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

}  // namespace

ProgressLine::ProgressLine(bool enabled) : enabled_(enabled), terminal_(isatty(STDERR_FILENO) != 0) {}

void ProgressLine::show(const CampaignResult& so_far) {
  if (!enabled_) return;
  if (!terminal_ && so_far.seconds - last_plain_ < kPlainEvery) return;
  last_plain_ = so_far.seconds;
  const double rate = so_far.seconds > 0 ? static_cast<double>(so_far.executions) / so_far.seconds : 0;
  const std::string text = fmt::format("{} executions, {}/s, {} different traces, {:.0f} s", grouped(so_far.executions),
                                       rate_text(rate), grouped(so_far.distinct_traces), so_far.seconds);
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
