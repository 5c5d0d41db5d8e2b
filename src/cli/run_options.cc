// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Ravel authors
#include "cli/run_options.h"

#include <fmt/format.h>
#include <sys/random.h>

#include <span>

#include "cli/coverage_options.h"
#include "cli/option_words.h"
#include "investigate/noise_config.h"
#include "investigate/strategy_check.h"
#include "model/text/near_names.h"
#include "model/text/policy_text.h"
#include "model/text/words.h"
#include "report/region_patterns.h"

namespace ravel {
namespace {

constexpr std::uint32_t kMostShards = 4096;
constexpr char kNotANumber[] = "not a number in range";

template <class T>
std::string set_number(T& field, const std::string& value, std::uint64_t least = 0,
                       std::uint64_t most = ~std::uint64_t{0}) {
  const auto number = number_of<std::uint64_t>(value, most);
  if (!number || *number < least) return kNotANumber;
  field = static_cast<T>(*number);
  return {};
}

template <class Enum, class Table>
std::string set_name(Enum& field, const std::string& value, const Table& table) {
  const auto index = index_of(table, value);
  if (index) {
    field = static_cast<Enum>(*index);
    return {};
  }
  std::string all;
  for (std::string_view name : table) all += (all.empty() ? "" : ", ") + std::string(name);
  return "one of " + all;
}

// A list "a,b" of names that `bit_of` knows.
template <class BitOf>
std::string set_bits(std::uint32_t& bits, std::string_view list, BitOf bit_of, const std::string& all) {
  while (!list.empty()) {
    const std::size_t comma = list.find(',');
    const auto bit = bit_of(list.substr(0, comma));
    if (!bit) return fmt::format("`{}' is not one of {}", list.substr(0, comma), all);
    bits |= *bit;
    list = comma == std::string_view::npos ? std::string_view{} : list.substr(comma + 1);
  }
  return {};
}

std::string set_seed(RunOptions& options, const std::string& value) {
  if (value != "random") return set_number(options.seed, value);
  std::uint32_t seed = 0;
  [[maybe_unused]] const ssize_t ignored = getrandom(&seed, sizeof seed, 0);
  options.seed = seed;
  return {};
}

std::string set_time(std::optional<std::chrono::milliseconds>& field, const std::string& value) {
  field = parse_duration(value);
  return field ? "" : "not a time such as 500ms, 10s or 2m";
}

std::string set_points(RunOptions& options, const std::string& value) {
  options.points_of_pairs = value == kPairPointsName;
  if (!options.points_of_pairs) {
    const std::string problem = set_name(options.base.points, value, kPointsNames);
    return problem.empty() ? problem : problem + ", " + std::string(kPairPointsName);
  }
  options.base.points = PointsMode::kRacy;
  return {};
}

template <auto Field>
std::string set_path(RunOptions& options, const std::string& value) {
  options.*Field = value;
  return value.empty() ? "empty" : "";
}

using R = RunOptions;
using S = const std::string&;
constexpr OptionRow<RunOptions> kRows[] = {
    {"--strategy", "NAME[,K=V]", "how schedules are chosen; `ravel list' shows all (default portfolio)",
     [](R& o, S v) {
       o.strategy = v;
       return check_strategy(v);
     },
     strategy_words},
    {"--seed", "N", "seed of the campaign, or `random' (default 1)", set_seed},
    {"--iterations", "N", "end after N executions (default: no limit)",
     [](R& o, S v) {
       o.iterations = 0;
       return set_number(*o.iterations, v, 1);
     }},
    {"--time", "T",
     "end after this time: 500ms, 10s, 2m (default 10s, or when nothing new comes; none when --iterations is given)",
     [](R& o, S v) { return set_time(o.time, v); }},
    {"--max-steps", "N",
     "scheduling points after which an execution is cut (default 1000000, or 8 times the first execution)",
     [](R& o, S v) {
       o.limits_steps = true;
       return set_number(o.base.max_steps, v, 1);
     }},
    {"--points", "MODE", "which plain accesses are scheduling points: sync, racy, shared, all, pairs (default racy)",
     set_points, points_words},
    {"--facts", "FILE", "static facts to use, or `none' (default: those of `ravel analyze', if they are of this build)",
     set_path<&RunOptions::facts>},
    {"--goal", "PLACE,...",
     "drive executions along these places, in this order: file:line[:column][#k], function+line, or names of marks",
     [](R& o, S v) {
       auto sequence = parse_sequence(v);
       if (sequence) o.goal = std::move(*sequence);
       return sequence ? std::string() : sequence.error().line();
     }},
    {"--sequence", "FILE", "the same, one place per line of FILE",
     [](R& o, S v) {
       auto sequence = read_sequence(v);
       if (sequence) o.goal = std::move(*sequence);
       return sequence ? std::string() : sequence.error().line();
     }},
    {"--target", "PLACE,...",
     "of strategy slice: whether this place is reached, or all of these at once by as many threads: file:line[:column]",
     [](R& o, S v) {
       auto sequence = parse_sequence(v);
       if (sequence) o.targets.insert(o.targets.end(), sequence->begin(), sequence->end());
       return sequence ? std::string() : sequence.error().line();
     }},
    {"--focus", "PLACE|VARIABLE",
     "of strategy values: schedules about this access (file:line[:column]) or variable come first; needs facts",
     [](R& o, S v) {
       o.focus = v;
       return v.empty() ? std::string("a place or a variable is needed") : std::string();
     }},
    {"--points-exclude", "CLASS,...", "classes of operations that are no scheduling points (see `ravel list')",
     [](R& o, S v) { return set_bits(o.base.excluded_classes, v, class_bit, class_names(~0u, ", ")); }, class_words},
    {"--timeouts", "MODE",
     "fair: waits time out when no thread can run; adversarial: any time-out may fire first (default fair)",
     [](R& o, S v) { return set_name(o.base.timeouts, v, std::span(kTimeoutNames).first(kTimeoutChoices)); },
     timeout_words},
    {"--volatile", "MODE",
     "what accesses to volatile objects are: plain, relaxed or acq-rel atomic operations (default plain)",
     [](R& o, S v) { return set_name(o.base.volatiles, v, kVolatileNames); }, volatile_words},
    {"--waiters", "RULE", "whom a signal of a condition variable wakes: any waiter, or fifo, the first (default any)",
     [](R& o, S v) { return set_name(o.base.waiters, v, kWaiterNames); }, waiter_words},
    {"--fault-limit", "N", "the most faults in one execution (default 1)",
     [](R& o, S v) { return set_number(o.base.max_faults, v, 1); }},
    {"--faults", "NAME,...",
     "failures that may be injected: spurious-wakeup, weak-cas, try-lock, eagain, eintr, alloc (see `ravel list')",
     [](R& o, S v) { return set_bits(o.base.faults, v, fault_bit, fault_names(~0u, ", ")); }, fault_words},
    {"--detect", "NAME,...", "which defects to look for: names, all, precise, default or none (see `ravel list')",
     [](R& o, S v) {
       o.names_detectors = true;
       return set_detectors(o.detectors, v);
     },
     detector_words},
    {"--train", "N", "the first N executions train the detectors that learn (avio, pset) (default 0)",
     [](R& o, S v) { return set_number(o.training, v, 1); }},
    {"--regions", "NAME,...", "functions whose calls are meant to be atomic, `*' for any text (`@FILE': one per line)",
     [](R& o, S v) {
       auto patterns = read_region_patterns(v);
       if (patterns) o.regions = std::move(*patterns);
       return patterns ? std::string() : patterns.error().line();
     }},
    kMetricsRow<R>,
    kIdentityRow<R>,
    kCoverageJobsRow<R>,
    {"--coverage-file", "FILE", "where coverage is saved (default: beside the plans, PROGRAM.cov)",
     set_path<&RunOptions::coverage_file>},
    {"--until-saturated", "[=P]",
     "end when one more execution shows a new task with at most this chance (default 1%, with 95 % confidence)",
     [](R& o, S v) { return set_saturation(o.coverage.saturation, v); }},
    {"--suppressions", "FILE", "findings to suppress: lines class:pattern (`none': not even the shipped ones)",
     set_path<&RunOptions::suppressions>},
    {"--hang", "T",
     "an execution that does not move for this long is a hang (default 10s; blocked: at most a third of --time)",
     [](R& o, S v) {
       std::optional<std::chrono::milliseconds> time;
       std::string problem = set_time(time, v);
       if (time) o.hang = *time;
       return problem;
     }},
    {"--isolation", "MODE", "the fastest isolation mode Ravel may use: fork, rollback, repeat or auto (default auto)",
     [](R& o, S v) { return set_name(o.isolation, v, kIsolationNames); }, isolation_words},
    {"--verify", "", "run each plan twice and compare: checks that the program is deterministic",
     set_flag<&RunOptions::verify>},
    {"--no-shortcuts", "",
     "every scheduling point and every trace goes the long way, several times slower: nothing else may change",
     [](R& o, S) {
       o.base.without_shortcuts = 1;
       return std::string();
     }},
    {"--keep-going", "", "continue after the first defect", set_flag<&RunOptions::keep_going>},
    {"--past-goal", "", "with --goal: continue when the goal is reached, until the first defect",
     set_flag<&RunOptions::past_goal>},
    {"--minimize", "T", "time to simplify the schedules of all findings together (default 1s)",
     [](R& o, S v) {
       std::optional<std::chrono::milliseconds> time;
       std::string problem = set_time(time, v);
       if (time) o.minimise = *time;
       return problem;
     }},
    {"--no-minimize", "", "keep schedules as they were found, and do not explain them",
     [](R& o, S) {
       o.minimise = std::chrono::milliseconds(0);
       return std::string();
     }},
    {"--expect-complete", "", "cover every behaviour (strategy dpor unless given); exit 5 when that was not done",
     set_flag<&RunOptions::expect_complete>},
    {"--self-check", "", "of strategy reachability: keep fingerprints, and report a sequence that comes twice",
     set_flag<&RunOptions::self_check>},
    {"--explain-strategy", "", "say what each part of the default strategy did and found",
     set_flag<&RunOptions::explain_strategy>},
    {"--prefix", "FILE", "every execution begins with the sequence of FILE (.syn), whatever the strategy",
     set_text<&R::prefix>},
    {"--valid", "FILE", "judge every order of synchronisation by the specification of FILE (docs/syn.md)",
     set_text<&R::valid>},
    {"--allow-vacuous", "", "exit 0 when there was nothing to test", set_flag<&RunOptions::allow_vacuous>},
    {"--expect-exit", "N", "exit status of a good execution (default 0)",
     [](R& o, S v) { return set_number(o.expect_exit, v, 0, 255); }},
    {"--jobs", "N", "number of worker processes (default 1)", [](R& o, S v) { return set_number(o.jobs, v, 1, 256); }},
    {"--shard-index", "I",
     "this is part I of the campaign, from 0 (default 0); `ravel merge' puts the results together",
     [](R& o, S v) { return set_number(o.shard_index, v, 0, kMostShards - 1); }},
    {"--shard-count", "N", "split the campaign over N machines (default 1)",
     [](R& o, S v) { return set_number(o.shard_count, v, 1, kMostShards); }},
    {"--dependence", "RULE", "of strategy clock-vector: access (one of them writes) or object (default access)",
     [](R& o, S v) {
       o.dependence = v;
       return std::string(v == "access" || v == "object" ? "" : "one of access, object");
     },
     [] {
       return std::vector<std::string>{"access", "object"};
     }},
    {"--checkpoint", "FILE", "save the search in FILE, so that it can be resumed after any interruption",
     set_path<&RunOptions::checkpoint>},
    {"--resume", "FILE", "continue the search saved in FILE; same options as in the first run, except the budget",
     set_path<&RunOptions::resume>},
    {"--output", "DIR", "where plans are saved (default .ravel)", set_path<&RunOptions::output>},
    {"--saved", "WHEN", "first: try the saved plans of this program before exploring; ignore (default first)",
     [](R& o, S v) {
       o.saved_first = v == "first";
       return std::string(v == "first" || v == "ignore" ? "" : "one of first, ignore");
     },
     [] {
       return std::vector<std::string>{"first", "ignore"};
     }},
    {"--stdin", "FILE",
     "standard input of every execution; `-': that of ravel, read to its end (default: the same if redirected)",
     set_path<&RunOptions::stdin_file>},
    {"--scratch", "", "each execution starts in an empty folder, and with a /tmp, of its own",
     set_flag<&RunOptions::scratch>},
    {"--format", "FORMAT,...", "output formats: console,html=FILE,sarif=FILE,junit=FILE,json=FILE,perfetto=FILE,github",
     [](R& o, S v) { return o.formats.set(v); }, format_words},
    {"--json", "FILE", "write the result as JSON (`-': stdout)", set_path<&RunOptions::json>},
    {"--quiet", "", "print nothing but findings", set_flag<&RunOptions::quiet>},
    {"--color", "WHEN", "auto, always or never (default auto)", [](R& o, S v) { return set_color(o.color, v); },
     color_words},
    {"--show-output", "", "show the program's own output", set_flag<&RunOptions::show_output>},
    {"--free", "", "free-running mode: fresh processes on real threads, scheduled by the operating system",
     set_flag<&RunOptions::free>},
    {"--runs", "N", "of free-running mode: end after N runs (default 100)",
     [](R& o, S v) {
       o.runs = 0;
       return set_number(*o.runs, v, 1);
     }},
    {"--until-failure", "", "of free-running mode: end at the first failing run (default: within 10 minutes)",
     set_flag<&RunOptions::until_failure>},
    {"--noise", "random|SEEDING[,K=V]",
     "of free-running mode: disturb threads: yield, sleep, wait, busyWait, synchYield, mixed; freq=, strength=, "
     "place=, "
     "prob=, cpus=, load=, tt, ht",
     [](R& o, S v) {
       o.noise = v;
       auto noise = parse_noise(v);
       return noise ? std::string() : noise.error().line();
     }},
    {"--pin", "", "of free-running mode: search for a schedule that fails the same way, and save it as a plan",
     set_flag<&RunOptions::pin>},
    {"--heal", "PLAN", "of free-running mode: run on with the defect of PLAN kept away", set_path<&RunOptions::heal>},
};

}  // namespace

std::span<const OptionRow<RunOptions>> run_option_table() {
  return kRows;
}

std::string set_detectors(std::uint64_t& detectors, const std::string& list) {
  std::string_view wrong;
  const auto bits = parse_detectors(list, wrong);
  if (bits) {
    detectors = *bits;
    return {};
  }
  std::vector<std::string_view> names = {"all", "precise", "default", "none"};
  for (const DetectorRow& row : detector_table()) names.push_back(row.name);
  return fmt::format("no detector `{}'; {}", wrong, near_hint(wrong, names, "`ravel list' shows all"));
}

std::string set_color(ColorMode& mode, const std::string& value) {
  static constexpr std::string_view kNames[] = {"auto", "always", "never"};
  return set_name(mode, value, kNames);
}

}  // namespace ravel
