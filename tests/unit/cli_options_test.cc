// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Ravel authors
#include "cli/options.h"

#include <gtest/gtest.h>

#include "cli/replay_options.h"
#include "cli/run_options.h"
#include "model/text/near_names.h"

namespace ravel {
namespace {

constexpr CommandSyntax kRun = {"run", "", "", ProgramStartsAt::kFirstWord};
constexpr CommandSyntax kReplay = {"replay", "", "", ProgramStartsAt::kDoubleDash};

struct Parsed {
  RunOptions options;
  Result<CommandLine> line;
};

Parsed run(const Arguments& args) {
  Parsed parsed{RunOptions{}, CommandLine{}};
  const auto bound = bind_options(run_option_table(), parsed.options);
  parsed.line = parse_command_line(kRun, bound, args);
  return parsed;
}

std::string error_of(const Arguments& args) {
  const Parsed parsed = run(args);
  if (parsed.line) return "accepted";
  EXPECT_EQ(parsed.line.error().kind, ErrorKind::kUsage);
  EXPECT_EQ(parsed.line.error().line().find('\n'), std::string::npos);
  return parsed.line.error().line();
}

TEST(RunOptions, EndAtTheProgramsName) {
  const Parsed parsed = run({"--seed", "7", "./prog", "--seed", "8", "--", "x"});
  ASSERT_TRUE(parsed.line);
  EXPECT_EQ(parsed.options.seed, 7u);
  EXPECT_EQ(parsed.line->program, (Arguments{"./prog", "--seed", "8", "--", "x"}));
}

TEST(RunOptions, EndAtTwoDashes) {
  const Parsed parsed = run({"--keep-going", "--", "--strange-name", "a"});
  ASSERT_TRUE(parsed.line);
  EXPECT_TRUE(parsed.options.keep_going);
  EXPECT_EQ(parsed.line->program, (Arguments{"--strange-name", "a"}));
}

TEST(RunOptions, ValuesMayBeJoined) {
  const Parsed parsed = run({"--seed=9", "--points=all", "--faults=spurious-wakeup", "p"});
  ASSERT_TRUE(parsed.line);
  EXPECT_EQ(parsed.options.seed, 9u);
  EXPECT_EQ(parsed.options.base.points, PointsMode::kAll);
  EXPECT_EQ(parsed.options.base.faults, kFaultSpuriousWakeup);
}

TEST(RunOptions, FaultsAreAListWithALimit) {
  const Parsed parsed = run({"--faults", "weak-cas,try-lock,eagain,eintr,alloc", "--fault-limit", "4", "p"});
  ASSERT_TRUE(parsed.line) << parsed.line.error().line();
  EXPECT_EQ(parsed.options.base.faults, kFaultWeakCas | kFaultTryLock | kFaultEagain | kFaultEintr | kFaultAlloc);
  EXPECT_EQ(parsed.options.base.max_faults, 4u);
  EXPECT_EQ(run({"p"}).options.base.max_faults, 1u);
  EXPECT_FALSE(run({"--faults", "weak-cas,earthquake", "p"}).line);
  EXPECT_FALSE(run({"--fault-limit", "0", "p"}).line);
}

TEST(RunOptions, EveryOptionIsStored) {
  const Parsed parsed = run({"--strategy",
                             "random",
                             "--iterations",
                             "5",
                             "--time",
                             "500ms",
                             "--max-steps",
                             "77",
                             "--points-exclude",
                             "lifecycle,time",
                             "--timeouts",
                             "adversarial",
                             "--isolation",
                             "fork",
                             "--verify",
                             "--allow-vacuous",
                             "--expect-exit",
                             "3",
                             "--jobs",
                             "2",
                             "--output",
                             "out",
                             "--json",
                             "j",
                             "--quiet",
                             "--color",
                             "never",
                             "--show-output",
                             "p"});
  ASSERT_TRUE(parsed.line) << parsed.line.error().line();
  const RunOptions& o = parsed.options;
  EXPECT_EQ(o.strategy, "random");
  EXPECT_EQ(o.iterations, 5u);
  EXPECT_EQ(o.time, std::chrono::milliseconds(500));
  EXPECT_EQ(o.base.max_steps, 77u);
  EXPECT_EQ(o.base.excluded_classes,
            (1u << static_cast<unsigned>(OpClass::kLifecycle)) | (1u << static_cast<unsigned>(OpClass::kTime)));
  EXPECT_EQ(o.base.timeouts, TimeoutMode::kAdversarial);
  EXPECT_TRUE(o.verify && o.allow_vacuous && o.quiet && o.show_output);
  EXPECT_EQ(o.expect_exit, 3);
  EXPECT_EQ(o.jobs, 2u);
  EXPECT_EQ(o.output, "out");
  EXPECT_EQ(o.json, "j");
  EXPECT_EQ(o.color, ColorMode::kNever);
}

TEST(RunOptions, MistakesAreOneLine) {
  EXPECT_NE(error_of({"--sed", "1", "p"}).find("did you mean `--seed'"), std::string::npos);
  EXPECT_NE(error_of({"--seed"}).find("without its value"), std::string::npos);
  EXPECT_NE(error_of({"--seed", "x", "p"}).find("--seed x: not a number"), std::string::npos);
  EXPECT_NE(error_of({"--iterations", "0", "p"}).find("--iterations 0"), std::string::npos);
  EXPECT_NE(error_of({"--points", "some", "p"}).find("one of sync, racy, shared, all"), std::string::npos);
  EXPECT_NE(error_of({"--points-exclude", "cycles", "p"}).find("`cycles' is not one of lifecycle"), std::string::npos);
  EXPECT_NE(error_of({"--strategy", "portfolo", "p"}).find("did you mean `portfolio'"), std::string::npos);
  EXPECT_NE(error_of({"--strategy", "pct,depth=x", "p"}).find("bad value"), std::string::npos);
  EXPECT_NE(error_of({"--time", "10 parsecs", "p"}).find("not a time"), std::string::npos);
  EXPECT_NE(error_of({"--expect-exit", "256", "p"}).find("--expect-exit 256"), std::string::npos);
  EXPECT_NE(error_of({"--isolation", "spoon", "p"}).find("one of auto, fork, rollback, repeat"), std::string::npos);
}

TEST(RunOptions, OneBudgetLiftsTheOther) {
  RunOptions options;
  EXPECT_EQ(options.budget().iterations, 0u);
  EXPECT_EQ(options.patience(), kPatience);
  EXPECT_EQ(options.budget().time, kDefaultTime);
  options.iterations = 5;
  EXPECT_EQ(options.budget().time.count(), 0);
  EXPECT_EQ(options.budget().iterations, 5u);
  options.iterations.reset();
  options.time = std::chrono::milliseconds(3);
  EXPECT_EQ(options.budget().iterations, 0u);
  EXPECT_EQ(options.budget().time.count(), 3);
}

TEST(Budget, IsSharedOutWholly) {
  Budget budget;
  budget.iterations = 10;
  EXPECT_EQ(budget.share(0, 3) + budget.share(1, 3) + budget.share(2, 3), 10u);
  EXPECT_EQ(budget.share(0, 3), 4u);
}

TEST(Duration, HasUnits) {
  EXPECT_EQ(parse_duration("500ms"), std::chrono::milliseconds(500));
  EXPECT_EQ(parse_duration("10s"), std::chrono::seconds(10));
  EXPECT_EQ(parse_duration("10"), std::chrono::seconds(10));
  EXPECT_EQ(parse_duration("2m"), std::chrono::minutes(2));
  EXPECT_EQ(parse_duration("1h"), std::chrono::hours(1));
  for (const char* bad : {"", "s", "0s", "-1s", "1.5s", "10x", "99999999999999999999s"})
    EXPECT_FALSE(parse_duration(bad)) << bad;
}

TEST(HelpText, ListsEveryOption) {
  RunOptions options;
  const auto bound = bind_options(run_option_table(), options);
  const std::string help = help_text(kRun, bound);
  for (const BoundOption& option : bound) EXPECT_NE(help.find(std::string(option.name)), std::string::npos);
  EXPECT_TRUE(run({"--seed", "1", "--help", "--nonsense"}).line->help);
}

TEST(ReplayOptions, MayFollowTheFile) {
  ReplayArguments arguments;
  const auto bound = bind_options(replay_option_table(), arguments);
  const auto line =
      parse_command_line(kReplay, bound, {"--times", "3", "a.plan", "--then", "pct,depth=2", "--", "./p", "--gdb"});
  ASSERT_TRUE(line) << line.error().line();
  EXPECT_EQ(line->positional, (Arguments{"a.plan"}));
  EXPECT_EQ(line->program, (Arguments{"./p", "--gdb"}));
  EXPECT_EQ(arguments.times, 3u);
  ASSERT_TRUE(arguments.then);
  EXPECT_EQ(arguments.then->kind, PolicyKind::kPct);
  EXPECT_EQ(arguments.then->depth, 2);
  EXPECT_FALSE(arguments.gdb);
}

TEST(NearNames, FindsWhatWasMeant) {
  const std::vector<std::string_view> names = {"portfolio", "random", "pct", "pos", "run-on", "dfs"};
  EXPECT_EQ(near_names("randon", names).front(), "random");  // nearest first
  EXPECT_EQ(near_names("port", names), (std::vector<std::string_view>{"portfolio"}));
  EXPECT_TRUE(near_names("quicksort", names).empty());
  EXPECT_EQ(near_hint("pcs", names, "no"), "did you mean `pct' or `pos'?");
  EXPECT_EQ(near_hint("zzzzzzz", names, "no"), "no");
}

}  // namespace
}  // namespace ravel
