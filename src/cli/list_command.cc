// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Ravel authors
//
// `ravel list`: everything that has a name on the command line.
#include <fmt/format.h>

#include "cli/command.h"
#include "cli/options.h"
#include "cover/metric_table.h"
#include "detect/detector_table.h"
#include "explore/strategy_table.h"
#include "investigate/parameter_text.h"
#include "model/exit_code.h"
#include "model/outcome.h"
#include "model/plan.h"
#include "model/text/policy_text.h"
#include "report/formats/format.h"

namespace ravel {
namespace {

constexpr CommandSyntax kSyntax = {
    "list", "", "Prints strategies, policies, classes of scheduling points, faults, detectors, formats and outcomes.",
    ProgramStartsAt::kDoubleDash, "0 done, 2 usage"};

// In the order of PolicyKind.
constexpr std::string_view kPolicyTexts[] = {
    "no preemption; the seed decides the order of threads",
    "a uniformly random thread at every decision",
    "random priorities with depth-1 change points (depth=N, length=N)",
    "partial order sampling: a random priority for every operation",
    "run-on with forced switches (switch=DECISION:RANK, up to 4)",
    "random, but threads at the listed locations wait until no other thread can run (at=LOCATION:LOCATION, up to 8)",
    "uniform over the orders of the operations at the listed locations (at=..., counts=N:N:... of each thread)",
    "threads in turn, each a part of its steps (depth=ROUNDS, counts=N:N:... of each thread)",
    "partial order sampling that steers what reads see (from=READ<WRITE or READ!WRITE, locations, up to 4)",
    "run-on with threads held back by chance (noise=SEEDING:PLACES:FREQUENCY:STRENGTH:HALTS, at=... of var-one)",
    "the thread nearest to the next place of a sequence; only within strategy meta",
    "some threads at the lines of a slice, the others when nobody of them can go on",
    "what the goals of the plan ask for, then run-on; only within strategy values",
};
static_assert(std::size(kPolicyTexts) == std::size(kPolicyNames));

constexpr std::string_view kPointsTexts[] = {
    "synchronisation and atomics only",
    "also plain accesses where a race has been seen",
    "also plain accesses to memory that another thread uses",
    "also every plain access",
};
static_assert(std::size(kPointsTexts) == std::size(kPointsNames));

void section(std::string_view title) {
  fmt::print("\n{}\n", title);
}

void entry(std::string_view name, std::string_view text) {
  fmt::print("  {:<18} {}\n", name, text);
}

}  // namespace

CommandPage list_page() {
  return {kSyntax, {}, false};
}

int list_command(const Arguments& args) {
  if (!args.empty()) {
    if (args[0] != "--help" && args[0] != "-h")
      return fail(Error{ErrorKind::kUsage, "unexpected argument", args[0], "`ravel list' takes none"});
    fmt::print("{}", help_text(kSyntax, {}));
    return kExitClean;
  }
  fmt::print("strategies (--strategy NAME[,K=V])\n");
  for (const StrategyRow& row : strategy_table()) {
    std::string text(row.description);
    if (row.coverage == Coverage::kEverything) text += " [exhaustive]";
    if (row.coverage == Coverage::kBounded) text += " [bounded]";
    entry(row.name, text);
    for (const Parameter& parameter : row.parameters) {
      entry("", fmt::format("{}: {}", parameter_values(parameter), parameter.help));
    }
  }
  section("policies (replay --then NAME[,seed=N,...], replay policy:NAME[,...])");
  for (std::size_t i = 0; i < std::size(kPolicyNames); ++i) entry(kPolicyNames[i], kPolicyTexts[i]);
  section("scheduling points (--points MODE)");
  for (std::size_t i = 0; i < std::size(kPointsNames); ++i) entry(kPointsNames[i], kPointsTexts[i]);
  entry(kPairPointsName, "racy, and from the start every member of a static pair (ravel analyze)");
  section("classes of scheduling points (--points-exclude CLASS,...)");
  for (const ClassRow& row : class_table()) entry(row.name, row.description);
  section("faults (--faults LIST)");
  for (const FaultRow& row : fault_table()) entry(row.name, row.description);
  section("detectors (--detect NAME,...)");
  for (const DetectorRow& row : detector_table()) {
    std::string text(row.finds);
    if (row.in_default) text += " [default]";
    if (!row.precise) text += " [heuristic]";
    entry(row.name, text);
  }
  section("coverage metrics (--coverage NAME,...)");
  for (const MetricRow& row : metric_table()) {
    entry(row.name, fmt::format("({}) {}{}", row.fields, row.counts, row.in_default ? " [default]" : ""));
  }
  section("formats (--format NAME or NAME=FILE,...)");
  for (const FormatRow& row : format_table()) entry(row.name, row.help);
  section("outcomes that are defects");
  for (std::size_t i = 0; i < std::size(kOutcomeNames); ++i) {
    if (is_defect(static_cast<OutcomeKind>(i))) fmt::print("  {}\n", kOutcomeNames[i]);
  }
  return kExitClean;
}

}  // namespace ravel
