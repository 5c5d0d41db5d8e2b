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
constexpr Clock::duration kWorkEvery = std::chrono::seconds(1);
constexpr Clock::duration kWorkAgain = std::chrono::milliseconds(200);  // once it is shown
constexpr Clock::duration kWorkPlainEvery = std::chrono::seconds(10);

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
  print(text);
}

// In the words of the work: "confirming finding 3 of 14", "minimising: 812 executions, 3 s".
void ProgressLine::show(const WorkProgress& so_far) {
  if (!enabled_) return;
  const Clock::time_point now = Clock::now();
  if (work_ != so_far.what) {
    work_ = so_far.what;
    since_ = told_ = now;
  }
  if (now - told_ < (terminal_ ? kWorkEvery : kWorkPlainEvery)) return;
  told_ = now - (terminal_ ? kWorkEvery - kWorkAgain : Clock::duration(0));
  const double seconds = std::chrono::duration<double>(now - since_).count();
  print(so_far.of != 0 ? fmt::format("{} finding {} of {}, {:.0f} s", so_far.what, so_far.done + 1, so_far.of, seconds)
                       : fmt::format("{}: {}, {:.0f} s", so_far.what, grouped(so_far.done, "execution"), seconds));
}

void ProgressLine::print(const std::string& text) {
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
