// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Ravel authors
//
// The one list of strategies. To add one: a file of its own, a line in strategies.h, a row here, a test that states its
// probability of success.
#include "explore/strategy_table.h"

#include "base/invariant.h"
#include "explore/heuristics.h"
#include "explore/portfolio_parts.h"
#include "explore/strategies.h"

namespace ravel {
namespace {

constexpr std::string_view kParts[] = {"none", "pos", "park", "directed", "dpor", "shared", "static"};
static_assert(std::size(kParts) == kPartCount + 1);
constexpr Parameter kPortfolioParameters[] = {
    {.name = "without",
     .type = ParameterType::kWord,
     .words = kParts,
     .help = "a part that has no turns, to see what it is worth"},
};

constexpr Parameter kPctParameters[] = {
    {.name = "depth", .initial = 3, .least = 1, .most = 64, .help = "orderings that the bug needs"},
};

constexpr std::string_view kStarts[] = {"at-once", "together"};
constexpr Parameter kPosParameters[] = {
    {.name = "starts",
     .type = ParameterType::kWord,
     .words = kStarts,
     .help = "together: not while somebody is about to create another thread"},
};

constexpr Parameter kPeriodParameters[] = {
    {.name = "rounds", .initial = 0, .least = 0, .most = 16, .help = "0: 2, 3 and 4 in turn"},
};

constexpr std::string_view kSeedings[] = {"drawn", "yield", "sleep", "wait", "busyWait", "synchYield", "mixed"};
static_assert(std::size(kSeedings) == std::size(kSeedingNames) + 1);
constexpr std::string_view kPlaces[] = {"drawn", "random", "var-one", "var-one+other", "var-all", "sync"};
static_assert(std::size(kPlaces) == std::size(kNoisePlaceNames) + 1);
constexpr std::string_view kHalts[] = {"drawn", "off", "on"};
constexpr Parameter kNoiseParameters[] = {
    {.name = "seeding",
     .type = ParameterType::kWord,
     .words = kSeedings,
     .help = "how a thread is held back; drawn: again for each execution"},
    {.name = "freq", .initial = kDrawn, .most = kPerMille, .help = "operations of 1000; drawn: 50 to 200"},
    {.name = "strength", .initial = kDrawn, .least = 1, .most = 1000, .help = "decisions; drawn: 1 to 20"},
    {.name = "place", .type = ParameterType::kWord, .words = kPlaces, .help = "before which operations"},
    {.name = "halt",
     .type = ParameterType::kWord,
     .words = kHalts,
     .help = "now and then a thread waits until nobody else can run"},
};

constexpr std::string_view kOffOn[] = {"off", "on"};
constexpr Parameter kReachabilityParameters[] = {
    {.name = "self-check",
     .type = ParameterType::kWord,
     .words = kOffOn,
     .help = "on: keep fingerprints, and tell of a sequence that comes twice"},
};

constexpr Parameter kCoverageParameters[] = {
    {.name = "metric",
     .type = ParameterType::kWord,
     .words = kMetricNames,
     .help = "whose tasks make an execution worth going on from"},
};

constexpr std::string_view kSets[] = {"optimal", "source"};
constexpr std::string_view kFirst[] = {"near", "wide"};
constexpr Parameter kDporParameters[] = {
    {.name = "sets",
     .type = ParameterType::kWord,
     .words = kSets,
     .help = "what keeps executions from being redundant"},
    {.name = "first",
     .type = ParameterType::kWord,
     .words = kFirst,
     .help = "wide: at first also orders early in the execution"},
};

constexpr std::string_view kDependence[] = {"access", "object"};
constexpr Parameter kClockVectorParameters[] = {
    {.name = "dependence",
     .type = ParameterType::kWord,
     .words = kDependence,
     .help = "what two dependent accesses share"},
};

constexpr Parameter kBoundedParameters[] = {
    {.name = "preemptions", .initial = kNoLimit, .help = "switches away from a thread that could go on"},
    {.name = "delays", .initial = kNoLimit, .help = "threads passed over, instead of preemptions"},
};

constexpr Parameter kBestFirstParameters[] = {
    {.name = "by",
     .type = ParameterType::kWord,
     .words = kHeuristicNames,
     .help = "what makes a schedule promising; distance and rank: --goal; property: --target"},
    {.name = "queue", .initial = 1024, .least = 1, .most = 1u << 14, .help = "schedules that wait"},
    {.name = "thread", .initial = 1, .least = 1, .help = "of by=prefer, by order of creation"},
};

constexpr std::string_view kGuidedBy[] = {"distance", "random", "prefer"};
constexpr std::string_view kStateKeys[] = {"level", "state"};
constexpr Parameter kMetaParameters[] = {
    {.name = "by", .type = ParameterType::kWord, .words = kGuidedBy, .help = "what ranks threads off the sequence"},
    {.name = "backtrack", .initial = 100'000, .least = 1, .most = 1u << 20, .help = "states to come back to"},
    {.name = "key",
     .type = ParameterType::kWord,
     .words = kStateKeys,
     .help = "state: one state whatever was observed, as the paper"},
    {.name = "thread", .initial = 1, .least = 1, .help = "of by=prefer, by order of creation"},
};

constexpr std::string_view kDfsOrders[] = {"fixed", "random"};
constexpr std::string_view kDfsMatches[] = {"none", "states"};
constexpr Parameter kDfsParameters[] = {
    {.name = "order", .type = ParameterType::kWord, .words = kDfsOrders, .help = "of alternatives; needs match=states"},
    {.name = "match",
     .type = ParameterType::kWord,
     .words = kDfsMatches,
     .help = "states: what follows a state is searched once"},
};

constexpr std::string_view kSliceGrains[] = {"access", "line", "both"};
constexpr std::string_view kSliceStarts[] = {"slice", "decisive"};
constexpr Parameter kSliceParameters[] = {
    {.name = "add", .initial = 1, .least = 1, .most = 64, .help = "threads that a round adds"},
    {.name = "grain",
     .type = ParameterType::kWord,
     .words = kSliceGrains,
     .help = "threads are interrupted at every access, only between lines, or both one after the other"},
    {.name = "start",
     .type = ParameterType::kWord,
     .words = kSliceStarts,
     .help = "decisive: first only what decides at once whether the target is reached"},
    {.name = "symmetry",
     .type = ParameterType::kWord,
     .words = kOffOn,
     .help = "on: threads of one line that have done nothing yet are taken for equal"},
};

constexpr std::string_view kSharingBy[] = {"use", "escape"};
constexpr Parameter kSharingParameters[] = {
    {.name = "by",
     .type = ParameterType::kWord,
     .words = kSharingBy,
     .help = "escape: at all memory that two threads may reach (--points shared), each state once"},
};

constexpr std::string_view kValuesOrders[] = {"priority", "dfs"};
constexpr std::string_view kValuesSlices[] = {"combined", "apart"};
constexpr Parameter kValuesParameters[] = {
    {.name = "first", .initial = 0, .help = "thread that begins, by order of creation"},
    {.name = "order",
     .type = ParameterType::kWord,
     .words = kValuesOrders,
     .help = "priority: orders of accesses to memory before those of locks, once, out of turn"},
    {.name = "slices",
     .type = ParameterType::kWord,
     .words = kValuesSlices,
     .help = "apart: orders that cannot affect each other are not combined; each order is seen, not each schedule"},
};

constexpr StrategyRow kTable[] = {
    {.name = "portfolio",
     .description = "several of these and dpor along, by what they bring (default)",
     .create = create_portfolio,
     .parameters = kPortfolioParameters,
     .hosts_dpor = true,
     .tries_warnings = true},
    {.name = "run-on", .description = "no preemption; random order of threads", .create = create_run_on},
    {.name = "random", .description = "uniform choice at every decision", .create = create_random},
    {.name = "pct",
     .description = "random priorities with d-1 change points",
     .create = create_pct,
     .parameters = kPctParameters},
    {.name = "pos", .description = "partial order sampling", .create = create_pos, .parameters = kPosParameters},
    {.name = "preempt",
     .description = "at most two preemptions, anywhere; random order otherwise",
     .create = create_preempt},
    {.name = "park",
     .description = "threads are held back at one place of the code after the other",
     .create = create_park},
    {.name = "rf", .description = "steers reads towards writes that they have rarely seen", .create = create_rf},
    {.name = "coverage",
     .description = "as rf, going on from executions that cover new tasks of a metric",
     .create = create_coverage,
     .parameters = kCoverageParameters,
     .by_tasks = true},
    {.name = "surw",
     .description = "uniform over the orders of a few operations, other ones in each execution",
     .create = create_surw},
    {.name = "period",
     .description = "threads in turn, each a part of its steps, in a few rounds",
     .create = create_period,
     .parameters = kPeriodParameters},
    {.name = "noise",
     .description = "threads held back by chance, as by noise injection, without its delays",
     .create = create_noise,
     .parameters = kNoiseParameters},
    {.name = "dpor",
     .description = "every behaviour once: one schedule of each Mazurkiewicz trace",
     .create = create_dpor,
     .parameters = kDporParameters,
     .coverage = Coverage::kEverything,
     .reduction = Reduction::kExactlyOnce,
     .jobs = Jobs::kOneTree,
     .roles = kWatchesEvents | kSharesSearch},
    {.name = "values",
     .description = "every value schedule once, by goals: one conflicting order at a time",
     .create = create_values,
     .parameters = kValuesParameters,
     .coverage = Coverage::kEverything,
     .reduction = Reduction::kExactlyOnce,
     .jobs = Jobs::kOneProcess,
     .roles = kWatchesEvents,
     .takes_pairs = true},
    {.name = "reachability",
     .description = "every order of synchronisation once: reachability testing of SYN-sequences",
     .create = create_reachability,
     .parameters = kReachabilityParameters,
     .coverage = Coverage::kEverything,
     .reduction = Reduction::kExactlyOnce,
     .jobs = Jobs::kParts,
     .roles = kWatchesEvents},
    {.name = "clock-vector",
     .description = "every behaviour: dynamic partial order reduction by clock vectors",
     .create = create_clock_vector,
     .parameters = kClockVectorParameters,
     .coverage = Coverage::kEverything,
     .reduction = Reduction::kAtLeastOnce,
     .jobs = Jobs::kOneProcess,
     .roles = kWatchesEvents},
    {.name = "sharing",
     .description = "stops where objects are known to be shared, as Java PathFinder: a baseline, not complete",
     .create = create_sharing,
     .parameters = kSharingParameters,
     .coverage = Coverage::kBounded,
     .jobs = Jobs::kOneProcess,
     .roles = kWatchesEvents},
    {.name = "bounded",
     .description = "all schedules with at most 0, 1, 2, ... preemptions (or delays)",
     .create = create_bounded,
     .parameters = kBoundedParameters,
     .coverage = Coverage::kBounded},
    {.name = "best-first",
     .description = "the most promising schedules first, from a queue of limited length",
     .create = create_best_first,
     .parameters = kBestFirstParameters,
     .jobs = Jobs::kOneProcess,
     .roles = kWatchesEvents,
     .searches_tree = true},
    {.name = "meta",
     .description = "along a sequence of places (--goal), greedily, by static distance",
     .create = create_meta,
     .parameters = kMetaParameters,
     .follows_goal = true},
    {.name = "slice",
     .description = "whether a place is reached (--target): the threads and lines it depends on, a few at a time",
     .create = create_slice,
     .parameters = kSliceParameters,
     .coverage = Coverage::kBounded,
     .jobs = Jobs::kOneProcess,
     .needs_target = true},
    {.name = "dfs",
     .description = "every schedule, unreduced, or every state once",
     .create = create_dfs,
     .parameters = kDfsParameters,
     .coverage = Coverage::kEverything},
};

// Commands of their own ask for these.
constexpr StrategyRow kOnPlans[] = {
    {.name = "minimise",
     .description = "the simplest schedule with the plan's defect",
     .create = create_minimise,
     .roles = kWatchesEvents | kHandsOver,
     .from_plan = true},
    {.name = "explain",
     .description = "pairs of events whose order decides the plan's defect",
     .create = create_explain,
     .roles = kWatchesEvents | kHandsOver,
     .from_plan = true},
    {.name = "nearby",
     .description = "schedules that are almost the plan's, nearest first",
     .create = create_nearby,
     .from_plan = true},
};

std::uint8_t roles_of(const StrategyParts& parts) {
  return static_cast<std::uint8_t>((parts.watcher != nullptr ? kWatchesEvents : 0) |
                                   (parts.shared != nullptr ? kSharesSearch : 0) |
                                   (parts.target != nullptr ? kHandsOver : 0));
}

std::string_view parameters_in(std::string_view text) {
  const std::size_t comma = text.find(',');
  return comma == std::string_view::npos ? std::string_view{} : text.substr(comma + 1);
}

}  // namespace

std::span<const StrategyRow> strategy_table() {
  return kTable;
}

const StrategyRow* find_strategy(std::string_view text) {
  const std::string_view name = text.substr(0, text.find(','));
  for (const StrategyRow& row : kTable) {
    if (row.name == name) return &row;
  }
  for (const StrategyRow& row : kOnPlans) {
    if (row.name == name) return &row;
  }
  return nullptr;
}

MetricId metric_of_strategy(std::string_view text) {
  const StrategyRow* row = find_strategy(text);
  ParameterValues values;
  if (row == nullptr || !row->by_tasks) return MetricId::kCount;
  const ParameterProblem problem = parse_parameters(row->parameters, parameters_in(text), values);
  return problem.kind == ParameterProblem::Kind::kNone ? static_cast<MetricId>(values["metric"]) : MetricId::kCount;
}

// Source sets cannot: an execution has to run before it is known to be redundant. Nor is a search that goes wide first.
bool can_share_a_tree(std::string_view text) {
  const StrategyRow* row = find_strategy(text);
  ParameterValues values;
  if (row == nullptr || row->jobs != Jobs::kOneTree) return false;
  if (parse_parameters(row->parameters, parameters_in(text), values).kind != ParameterProblem::Kind::kNone)
    return false;
  return values["sets"] == 0 && values["first"] == 0;
}

StrategyParts open_strategy(std::string_view text, std::pmr::memory_resource& memory, StrategyOptions options,
                            StrategyProblem& problem) {
  const StrategyRow* row = find_strategy(text);
  if (row == nullptr) {
    problem.error = "unknown strategy";
    return {};
  }
  problem.parameter = parse_parameters(row->parameters, parameters_in(text), options.parameters);
  if (problem.parameter.kind != ParameterProblem::Kind::kNone) return {};
  const StrategyParts parts = row->create(memory, options, problem.error);
  INVARIANT(parts.strategy == nullptr || roles_of(parts) == row->roles, "a strategy has the roles that its row names");
  INVARIANT(parts.strategy != nullptr || !problem.error.empty(), "a strategy that is refused is refused for a reason");
  return parts;
}

}  // namespace ravel
