// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Ravel authors
//
// What the runtime costs the tested program: instrumented code that shares nothing against native code and the thread
// sanitizer, and single operations. Every ratio is of figures of the same run. RAVEL_BENCH_QUICK=1: once and briefly,
// to see that it works.
#include <benchmark/benchmark.h>

#include <cstdlib>
#include <string>

#include "support/figures.h"
#include "support/hand_off.h"
#include "support/programs.h"

namespace {

using namespace ravel::bench;

const bool quick = std::getenv("RAVEL_BENCH_QUICK") != nullptr;
const int kTimes = quick ? 1 : 3;

template <class Measure>
void add(const std::string& name, Measure measure) {
  benchmark::RegisterBenchmark(name.c_str(),
                               [name, measure](benchmark::State& state) {
                                 for (auto _ : state) {
                                   const double ns = measure();
                                   note_figure(name, ns);
                                   state.SetIterationTime(ns * 1e-9);
                                 }
                               })
      ->UseManualTime()
      ->Iterations(kTimes)
      ->Unit(benchmark::kNanosecond);
}

// Nanoseconds per operation of the kernel.
void add_kernels() {
  const std::string rounds = quick ? "1" : "20";
  for (const std::string kernel : {"array", "sort", "map", "frees"}) {
    for (const std::string mode : {"phase", "private"}) {
      for (const std::string build : {"native", "tsan", "ravel-g++", "ravel-clang++"}) {
        add(kernel + "/" + mode + "/" + build, [=] {
          const std::vector<std::string> program = {program_path("kernels." + build), kernel, mode, rounds};
          if (build.rfind("ravel", 0) != 0) return measured_ns(program);
          return measured_ns(under_ravel({"--iterations", "1", "--strategy", "run-on"}, program));
        });
      }
    }
  }
}

// The same of real work, beside a thread that waits.
void add_work() {
  const std::string rounds = quick ? "1" : "5";
  for (const std::string kernel : {"sort", "tree", "matrix", "strings"}) {
    for (const std::string build : {"native", "tsan", "ravel-g++"}) {
      add("work/" + kernel + "/" + build, [=] {
        const std::vector<std::string> program = {program_path("work." + build), kernel, rounds};
        if (build.rfind("ravel", 0) != 0) return measured_ns(program);
        return measured_ns(under_ravel({"--iterations", "1", "--strategy", "run-on"}, program));
      });
    }
  }
}

void add_operations() {
  const std::string count = quick ? "100" : "20000";
  // Later executions find the pages of traces and schedules in memory, as almost all of a campaign do.
  const std::string executions = quick ? "1" : "8";
  for (const std::string what : {"choice", "forced", "switch", "event", "lock", "thread"}) {
    add("operation/" + what, [=] {
      return measured_ns(
          under_ravel({"--iterations", executions, "--strategy", "run-on"}, {program_path("points"), what, count}));
    });
  }
  // With all that the engine does with it: the difference of a long and a longer execution, in processor time.
  for (const std::string points : {"sync", "all"}) {
    add("operation/event-checked-" + points, [=] {
      constexpr int kRounds = 5;  // of the program
      const int few = quick ? 1000 : 200000;
      const auto cost = [&](int each) {
        return cpu_seconds_of(under_ravel({"--isolation", "fork", "--detect", "data-race", "--iterations", "1",
                                           "--strategy", "run-on", "--points", points},
                                          {program_path("points"), "event", std::to_string(each)}));
      };
      return (cost(3 * few) - cost(few)) * 1e9 / (2.0 * kRounds * few);
    });
  }
  add("operation/futex-hand-off", [] { return futex_hand_off_ns(quick ? 100 : 20000); });
}

void set_goals() {
  for (const std::string kernel : {"sort", "tree", "matrix", "strings"}) {
    const double tsan = figure("work/" + kernel + "/tsan");
    if (tsan == 0) continue;
    add_goal("work, " + kernel + ": time against g++ TSan", figure("work/" + kernel + "/ravel-g++") / tsan, 0.8, "");
  }
  for (const std::string mode : {"phase", "private"}) {
    for (const std::string kernel : {"array", "sort", "map", "frees"}) {
      for (const std::string build : {"ravel-g++", "ravel-clang++"}) {
        const double tsan = figure(kernel + "/" + mode + "/tsan");
        if (tsan == 0) continue;
        const double native = figure(kernel + "/" + mode + "/native");
        const double ravel = figure(kernel + "/" + mode + "/" + build);
        add_goal(kernel + ", " + mode + ", " + build + ": slow-down", native == 0 ? 0 : ravel / native, 0, "x");
        add_goal(kernel + ", " + mode + ", " + build + ": time against g++ TSan", ravel / tsan, 0.6, "");
      }
    }
  }
  add_goal("recorded event, no scheduling point", figure("operation/event"), 8, "ns");
  add_goal("scheduling point without a choice", figure("operation/forced"), 12, "ns");
  add_goal("scheduling point with a choice, no switch", figure("operation/choice"), 12, "ns");
  add_goal("recorded event and race check, processor time", figure("operation/event-checked-sync"), 25, "ns");
  add_goal("the same as a scheduling point with a choice", figure("operation/event-checked-all"), 25, "ns");
  add_goal("yield with switch", figure("operation/switch"), 0, "ns");
  add_goal("lock and unlock, with choices", figure("operation/lock"), 0, "ns");
  add_goal("thread created, run and joined", figure("operation/thread"), 0, "ns");
  if (figure("operation/futex-hand-off") != 0) {
    add_goal("futex hand-off between OS threads on one CPU", figure("operation/futex-hand-off"), 0, "ns");
    add_goal("switch against futex hand-off", figure("operation/switch") / figure("operation/futex-hand-off"), 1.0 / 40,
             "");
  }
}

}  // namespace

int main(int argc, char** argv) {
  benchmark::Initialize(&argc, argv);
  if (benchmark::ReportUnrecognizedArguments(argc, argv)) return 2;
  add_kernels();
  add_work();
  add_operations();
  benchmark::RunSpecifiedBenchmarks();
  set_goals();
  print_goals();
  return 0;
}
