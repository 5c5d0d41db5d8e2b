// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Ravel authors
#include "support/programs.h"

#include <fcntl.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>
#include <x86intrin.h>

#include <chrono>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <string_view>
#include <thread>

namespace ravel::bench {
namespace {

using Clock = std::chrono::steady_clock;

double seconds_since(Clock::time_point begin) {
  return std::chrono::duration<double>(Clock::now() - begin).count();
}

[[noreturn]] void fail(const std::vector<std::string>& command, const std::string& output) {
  std::string line;
  for (const std::string& word : command) line += " " + word;
  std::fprintf(stderr, "bench: this command failed:%s\n%s", line.c_str(), output.c_str());
  std::exit(1);
}

std::string output_of(const std::vector<std::string>& command) {
  int ends[2];
  if (pipe(ends) != 0) fail(command, "");
  const pid_t child = fork();
  if (child == 0) {
    dup2(ends[1], 1);
    dup2(ends[1], 2);
    close(ends[0]);
    close(ends[1]);
    std::vector<char*> words;
    for (const std::string& word : command) words.push_back(const_cast<char*>(word.c_str()));
    words.push_back(nullptr);
    execv(words[0], words.data());
    _exit(127);
  }
  close(ends[1]);
  std::string output;
  char buffer[4096];
  for (ssize_t n = 0; (n = read(ends[0], buffer, sizeof buffer)) > 0;)
    output.append(buffer, static_cast<std::size_t>(n));
  close(ends[0]);
  int status = 0;
  if (child < 0 || waitpid(child, &status, 0) != child || status != 0) fail(command, output);
  return output;
}

}  // namespace

double tick_ns() {
  static const double known = [] {
    const Clock::time_point begin = Clock::now();
    const std::uint64_t ticks = __rdtsc();
    std::this_thread::sleep_for(std::chrono::milliseconds(50));
    return seconds_since(begin) * 1e9 / static_cast<double>(__rdtsc() - ticks);
  }();
  return known;
}

double cpu_seconds_of(const std::vector<std::string>& command) {
  const auto so_far = [] {
    rusage usage{};
    getrusage(RUSAGE_CHILDREN, &usage);
    const auto seconds = [](const timeval& t) {
      return static_cast<double>(t.tv_sec) + 1e-6 * static_cast<double>(t.tv_usec);
    };
    return seconds(usage.ru_utime) + seconds(usage.ru_stime);
  };
  const double begin = so_far();
  (void)output_of(command);
  return so_far() - begin;
}

double seconds_of(const std::vector<std::string>& command) {
  const Clock::time_point begin = Clock::now();
  (void)output_of(command);
  return seconds_since(begin);
}

double measured_ns(const std::vector<std::string>& command) {
  const std::string output = output_of(command);
  constexpr std::string_view kMark = "ticks ";
  double best = 0;
  for (std::size_t at = output.find(kMark); at != std::string::npos; at = output.find(kMark, at + 1)) {
    const double ticks = std::strtod(output.c_str() + at + kMark.size(), nullptr);
    if (best == 0 || ticks < best) best = ticks;
  }
  if (best == 0) fail(command, output);
  return best * tick_ns();
}

std::vector<std::string> under_ravel(const std::vector<std::string>& options, const std::vector<std::string>& program) {
  std::vector<std::string> command = {RAVEL_TOOL,        "run",         "--show-output",
                                      "--allow-vacuous", "--max-steps", "1000000000"};
  command.insert(command.end(), options.begin(), options.end());
  command.emplace_back("--");
  command.insert(command.end(), program.begin(), program.end());
  return command;
}

std::string program_path(const std::string& name) {
  return std::string(RAVEL_BENCH_PROGRAMS) + "/" + name;
}

}  // namespace ravel::bench
