// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Ravel authors
#include "report/console.h"

#include <algorithm>
#include <set>

#include "model/text/printable.h"
#include "report/columns.h"
#include "report/formats/escape.h"

namespace ravel {
namespace {

constexpr std::size_t kMaxOutputLines = 30;  // a test framework's words on one failed test
constexpr std::size_t kMaxFolded = 6;        // races of the same cause; the JSON has all of them
constexpr std::size_t kMaxText = 400;        // of one name or sentence; the JSON has all of it

std::string brief(std::string_view text) {
  return shortened(printable_line(text), kMaxText);
}

std::string counted(std::uint64_t n, std::string_view word, std::string_view plural) {
  return fmt::format("{} {}{}", n, word, n == 1 ? "" : plural);
}

std::string output_text(const std::string& name, const std::string& text, const Style& style) {
  std::string clean = printable_text(text);
  while (!clean.empty() && clean.back() == '\n') clean.pop_back();
  if (clean.empty()) return {};
  std::size_t start = clean.size();
  for (std::size_t lines = 0; start > 0 && lines < kMaxOutputLines; ++lines) {
    const std::size_t before = clean.rfind('\n', start - 1);
    start = before == std::string::npos ? 0 : before;
  }
  std::string out = style.faint(fmt::format("{} of the failing execution:", name)) + "\n";
  if (start > 0) out += "  | ...\n";
  std::size_t at = start == 0 ? 0 : start + 1;
  while (at <= clean.size()) {
    const std::size_t end = std::min(clean.find('\n', at), clean.size());
    out += "  | " + clean.substr(at, end - at) + "\n";
    at = end + 1;
  }
  return out;
}

}  // namespace

namespace {

// What was done to make it simpler, in a line; empty if nothing is to be said.
std::string simplified_text(const Simplification& simplified, std::uint32_t preemptions) {
  if (!simplified.tried) return {};
  std::string text = simplified.fewest_preemptions
                         ? fmt::format("proved minimal: no schedule with fewer than {} fails this way",
                                       counted(preemptions, "preemption", "s"))
                         : std::string("a simpler schedule may exist: see `ravel minimize'");
  if (preemptions == 0) text.clear();
  if (simplified.original_plan.empty()) return text;
  return fmt::format("simplified from {}, {}{}{}", counted(simplified.original_switches, "switch", "es"),
                     counted(simplified.original_preemptions, "preemption", "s"), text.empty() ? "" : "; ", text);
}

// Of a race that stands for others.
std::string more_text(const Finding& race) {
  return race.folds.empty() ? "" : fmt::format(" (and {} more of the same cause)", race.folds.size());
}

// Races of the same cause, and those of the same execution.
std::string other_races_text(const Finding& finding) {
  std::string text;
  if (!finding.folds.empty()) {
    text += fmt::format("\n  probably of the same cause: {} more data race{}\n", finding.folds.size(),
                        finding.folds.size() == 1 ? "" : "s");
  }
  for (std::size_t i = 0; i < std::min(finding.folds.size(), kMaxFolded); ++i) {
    text += fmt::format("    {}\n", brief(finding.folds[i]));
  }
  if (finding.folds.size() > kMaxFolded) text += "    ... (--json has all of them)\n";
  if (!finding.related.empty()) text += "\n";
  for (const Finding& race : finding.related) {
    if (!race.folded_into.empty()) continue;
    text += fmt::format("  in the same execution: {} {}{}\n", outcome_name(race.kind), brief(race.message),
                        more_text(race));
  }
  return text;
}

// By its plan, or by the seed string where no plan could be saved.
std::string how_to_reproduce(const Finding& finding, const ConsoleOptions& options) {
  std::string text;
  if (!finding.plan.empty()) {
    const std::string plan = shell_word(finding.plan);
    text += fmt::format("\n{:<12}{}ravel replay {}\ndebug:      {}ravel replay --gdb {}\n",
                        options.leads ? "reproduce:" : "replay:", options.environment, plan, options.environment, plan);
  }
  if (finding.plan.empty() && !finding.seed_string.empty()) {
    text += fmt::format("{:<11} {}ravel replay {} -- PROGRAM [ARGUMENTS...]\n",
                        options.leads ? "reproduce:" : "replay:", options.environment, shell_word(finding.seed_string));
  }
  return text;
}

}  // namespace

// What the campaign's coverage says about it.
static std::string suspects_text(const Finding& finding) {
  std::string text;
  for (const SuspectLine& one : finding.suspects) {
    text +=
        fmt::format("  suspect: {} {}, in {} of {} failing and {} of {} passing executions (p = {:.2g})\n", one.metric,
                    brief(one.task), one.failing_with, one.failing, one.passing_with, one.passing, one.p);
  }
  return text;
}

std::string console_finding(const Finding& finding, const ConsoleOptions& options) {
  const Style& style = options.style;
  std::string text = fmt::format("{}  {}", style.bad("FAILED"), outcome_name(finding.kind));
  text += finding.kind == OutcomeKind::kAssertion ? fmt::format(" `{}'", brief(finding.message))
                                                  : " " + brief(finding.message);
  if (finding.kind != OutcomeKind::kDataRace && finding.detector.empty() && !finding.location.text.empty())
    text += "  " + brief(finding.location.text);
  text += fmt::format("   after {}, {}\n", counted(finding.switches, "context switch", "es"),
                      counted(finding.preemptions, "preemption", "s"));
  for (const Finding& cause : finding.causes) {
    text += fmt::format("  {} {} {}\n", style.bad("cause:"), outcome_name(cause.kind), brief(cause.message));
  }
  if (finding.needs_timeout)
    text += "  an adversarial time-out fired: the defect needs a slow machine (--timeouts adversarial)\n";
  if (finding.explore_call != 0) {
    text += fmt::format("  in call {} of explore(){}{}\n", finding.explore_call,
                        finding.explore_name.empty() ? "" : ": ", brief(finding.explore_name));
  }
  if (finding.faults != 0)
    text += fmt::format("  {} injected fault{}\n", finding.faults, finding.faults == 1 ? "" : "s");
  for (const std::string& fault : finding.injected) text += fmt::format("  injected: {}\n", brief(fault));
  for (const Observation& seen : finding.observations) {
    text += fmt::format("  observed: {} = {}\n", brief(seen.name), brief(seen.value));
  }
  std::string threads;
  for (const FindingThread& thread : finding.threads) {
    threads += fmt::format("{}T{} {}", threads.empty() ? "" : ", ", thread.index, brief(thread.lineage));
    if (!thread.name.empty()) threads += fmt::format(" \"{}\"", thread.name);
  }
  if (!threads.empty()) text += fmt::format("  threads: {}\n", threads);
  for (const std::string& line : finding.details) text += fmt::format("  {}\n", brief(line));
  if (std::string how = simplified_text(finding.simplified, finding.preemptions); !how.empty()) {
    text += "  " + style.faint(how) + "\n";
  }
  if (!finding.explanation.empty()) text += "\n";
  for (std::size_t i = 0; i < finding.explanation.size(); ++i) {
    text += fmt::format("  {}{}\n", i == 0 ? "" : "  ", brief(finding.explanation[i]));
  }
  if (!finding.interleaving.empty()) {
    text += "\n" + interleaving_columns(finding.interleaving, style, options.width);
  }
  text += other_races_text(finding);
  text += suspects_text(finding);
  if (options.show_output) {
    text += output_text("stdout", finding.stdout_text, style);
    text += output_text("stderr", finding.stderr_text, style);
  }
  text += how_to_reproduce(finding, options);
  if (!finding.simplified.original_plan.empty() && finding.simplified.original_plan != finding.plan) {
    text += fmt::format("original:   {}\n", finding.simplified.original_plan);
  }
  if (!finding.seed_string.empty()) text += fmt::format("seed:       {}\n", finding.seed_string);
  return text;
}

std::string console_potential(const Finding& finding) {
  std::string text = fmt::format("not confirmed: {} {}\n", outcome_name(finding.kind), brief(finding.message));
  for (const std::string& line : finding.details) text += fmt::format("  {}\n", brief(line));
  return text;
}

std::string console_doubtful(const std::vector<Finding>& findings) {
  std::string text;
  std::set<std::string> reasons;
  std::size_t folded = 0;
  for (const Finding& finding : findings) {
    if (finding.details.empty() || !reasons.insert(finding.details.back()).second) {
      ++folded;
      continue;
    }
    text += fmt::format("doubtful: {} {}\n", outcome_name(finding.kind), brief(finding.message));
    for (const std::string& line : finding.details) text += fmt::format("  {}\n", brief(line));
  }
  if (folded != 0) text += fmt::format("{} more doubtful for the same reason; the JSON has them\n", folded);
  return text;
}

std::string console_brief(const Finding& finding) {
  return fmt::format("also found: {} {}{}\n  ravel replay {}\n", outcome_name(finding.kind), brief(finding.message),
                     more_text(finding), shell_word(finding.plan.empty() ? finding.seed_string : finding.plan));
}

std::string grouped(std::uint64_t number) {
  std::string digits = std::to_string(number);
  for (std::size_t i = digits.size(); i > 3; i -= 3) digits.insert(i - 3, " ");
  return digits;
}

std::string grouped(std::uint64_t number, std::string_view word) {
  return fmt::format("{} {}{}", grouped(number), word, number == 1 ? "" : "s");
}

std::string rate_text(double per_second) {
  if (per_second >= 1e6) return fmt::format("{:.1f} M", per_second / 1e6);
  if (per_second >= 1e4) return fmt::format("{:.0f} k", per_second / 1e3);
  if (per_second >= 1e3) return fmt::format("{:.1f} k", per_second / 1e3);
  return fmt::format("{:.0f}", per_second);
}

}  // namespace ravel
