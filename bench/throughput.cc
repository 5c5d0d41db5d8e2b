// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Ravel authors
//
// Executions a second by mode of isolation and strategy, against a null fork, exit and wait in the same run: of the
// program by itself, and of the process that executions run in. throughput [--modes=fork,rollback,repeat] [benchmark
// options]. RAVEL_BENCH_QUICK=1: once and briefly.
#include <benchmark/benchmark.h>

#include <cstdlib>
#include <string>
#include <string_view>
#include <vector>

#include "support/figures.h"
#include "support/programs.h"

namespace {

using namespace ravel::bench;

const bool quick = std::getenv("RAVEL_BENCH_QUICK") != nullptr;

std::vector<std::string> split(std::string_view list) {
  std::vector<std::string> words;
  while (!list.empty()) {
    const std::size_t comma = list.find(',');
    words.emplace_back(list.substr(0, comma));
    list = comma == std::string_view::npos ? std::string_view{} : list.substr(comma + 1);
  }
  return words;
}

// Takes --modes out of the arguments.
std::vector<std::string> modes_of(int& argc, char** argv) {
  constexpr std::string_view kName = "--modes=";
  std::vector<std::string> modes = {"fork", "rollback", "repeat"};
  int kept = 1;
  for (int i = 1; i < argc; ++i) {
    const std::string_view word = argv[i];
    if (word.substr(0, kName.size()) == kName) {
      modes = split(word.substr(kName.size()));
    } else {
      argv[kept++] = argv[i];
    }
  }
  argc = kept;
  return modes;
}

double campaign_seconds(const std::string& program, const std::string& mode, const std::string& strategy,
                        int executions) {
  return seconds_of({RAVEL_TOOL, "run", "--quiet", "--isolation", mode, "--strategy", strategy, "--iterations",
                     std::to_string(executions), "--", program_path(program)});
}

// Starting the program and the tool is not part of it: the difference of a long and a short campaign.
double execution_seconds(const std::string& program, const std::string& mode, const std::string& strategy) {
  const int many = quick ? 50 : mode == "fork" ? 3'000 : 100'000;
  const int few = many / 10;
  const double difference =
      campaign_seconds(program, mode, strategy, many) - campaign_seconds(program, mode, strategy, few);
  return difference > 0 ? difference / (many - few) : 1e-9;
}

// A null fork of the process that executions run in: larger than the program alone, by what Ravel maps there.
double null_fork_seconds_inside() {
  const auto with = [](int forks) {
    return seconds_of({RAVEL_TOOL, "run", "--quiet", "--isolation", "fork", "--strategy", "run-on", "--iterations", "1",
                       "--", program_path("tiny"), "--raw-forks", std::to_string(forks)});
  };
  const int many = quick ? 20 : 2'000;
  const double difference = with(many) - with(0);
  return difference > 0 ? difference / many : 1e-9;
}

template <class Measure>
void add(const std::string& name, Measure measure) {
  benchmark::RegisterBenchmark(name.c_str(),
                               [name, measure](benchmark::State& state) {
                                 for (auto _ : state) {
                                   const double seconds = measure();
                                   note_figure(name, seconds * 1e6);
                                   state.SetIterationTime(seconds);
                                 }
                                 state.counters["per_second"] =
                                     benchmark::Counter(1, benchmark::Counter::kIsIterationInvariantRate);
                               })
      ->UseManualTime()
      ->Iterations(quick ? 1 : 3)
      ->Unit(benchmark::kMicrosecond);
}

const std::vector<std::string> kStrategies = {"portfolio", "random", "pct", "pos"};

}  // namespace

int main(int argc, char** argv) {
  const std::vector<std::string> modes = modes_of(argc, argv);
  benchmark::Initialize(&argc, argv);
  if (benchmark::ReportUnrecognizedArguments(argc, argv)) return 2;
  add("null-fork", [] { return measured_ns({program_path("tiny"), "--null-fork", quick ? "10" : "2000"}) * 1e-9; });
  add("null-fork/inside", null_fork_seconds_inside);
  for (const std::string program : {"tiny", "medium"}) {
    for (const std::string& mode : modes) {
      for (const std::string& strategy : kStrategies) {
        add(program + "/" + mode + "/" + strategy, [=] { return execution_seconds(program, mode, strategy); });
      }
    }
  }
  add("start-up/one-execution", [] { return campaign_seconds("tiny", "fork", "run-on", 1); });
  benchmark::RunSpecifiedBenchmarks();

  const double null_fork = figure("null-fork");
  const double inside = figure("null-fork/inside");
  add_goal("null fork, exit and wait: of the program by itself", null_fork, 0, "us");
  add_goal("null fork, exit and wait: of the process that executions run in", inside, 0, "us");
  for (const std::string program : {"tiny", "medium"}) {
    for (const std::string& mode : modes) {
      for (const std::string& strategy : kStrategies) {
        const double us = figure(program + "/" + mode + "/" + strategy);
        add_goal(program + ", " + mode + ", " + strategy, us, 0, "us");
        const double goal = program != "tiny" ? 0 : mode == "rollback" ? 0.25 : mode == "repeat" ? 1.0 / 60 : 0;
        const std::string name = program + ", " + mode + ", " + strategy;
        if (null_fork != 0) add_goal(name + ": in null forks of the program", us / null_fork, goal, "");
        if (inside != 0) add_goal(name + ": in null forks of its process", us / inside, goal, "");
      }
    }
  }
  add_goal("start-up to the end of one execution", figure("start-up/one-execution") / 1e6, 0.3, "s");
  print_goals();
  return 0;
}
