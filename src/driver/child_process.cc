// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Ravel authors
#include "driver/child_process.h"

#include <fcntl.h>
#include <fmt/format.h>
#include <signal.h>
#include <sys/personality.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstdio>
#include <cstring>

#include "driver/interrupt.h"

namespace ravel {
namespace {

struct StartFailure {
  int code = 0;
  int step = 0;  // index into kStepNames
};
constexpr const char* kStepNames[] = {
    "fork",   "open standard input", "redirect the output", "change to its folder", "pass the control descriptor",
    "execute"};

[[noreturn]] void run_child(const ChildStart& start, char* const* argv, int report, pid_t parent) {
  auto give_up = [&](int step) {
    const StartFailure failure{errno, step};
    [[maybe_unused]] const ssize_t ignored = write(report, &failure, sizeof failure);
    _exit(127);
  };
  setpgid(0, 0);
  prctl(PR_SET_PDEATHSIG, SIGKILL);
  if (getppid() != parent) _exit(127);
  for (const int number : {SIGINT, SIGTERM, SIGQUIT, SIGTSTP, SIGPIPE, SIGBUS}) signal(number, SIG_DFL);
  const int input = open(start.stdin_path.empty() ? "/dev/null" : start.stdin_path.c_str(), O_RDONLY);
  if (input < 0 || dup2(input, 0) < 0) give_up(1);
  if (input > 2) close(input);
  for (int stream = 0; stream < 2; ++stream) {
    if (start.output[stream] >= 0 && dup2(start.output[stream], stream + 1) < 0) give_up(2);
  }
  if (!start.cwd.empty() && chdir(start.cwd.c_str()) != 0) give_up(3);
  if (!start.prepare()) give_up(4);
  execv(start.path.c_str(), argv);
  give_up(5);
  _exit(127);
}

}  // namespace

std::vector<char*> argument_pointers(const std::vector<std::string>& words) {
  std::vector<char*> out;
  for (const std::string& word : words) out.push_back(const_cast<char*>(word.c_str()));
  out.push_back(nullptr);
  return out;
}

void no_address_randomisation() {
  const int now = personality(0xffffffff);
  if (now >= 0)
    personality(static_cast<unsigned long>(now) | ADDR_NO_RANDOMIZE);  // containers may refuse; then levels above hold
}

Result<pid_t> start_child(const ChildStart& start) {
  int report[2];
  if (pipe2(report, O_CLOEXEC) != 0) return internal_error("cannot make a pipe", std::strerror(errno));
  std::vector<char*> argv = argument_pointers(start.argv);
  std::fflush(nullptr);
  const pid_t parent = getpid();
  const pid_t pid = fork();
  if (pid < 0) {
    close(report[0]);
    close(report[1]);
    return internal_error("cannot start the program", "fork", std::strerror(errno));
  }
  if (pid == 0) run_child(start, argv.data(), report[1], parent);
  setpgid(pid, pid);
  stop_with_us(pid);
  close(report[1]);
  StartFailure failure;
  ssize_t got = 0;
  while ((got = read(report[0], &failure, sizeof failure)) < 0 && errno == EINTR) {
  }
  close(report[0]);
  if (got != sizeof failure) return pid;
  no_longer_with_us(pid);
  ::kill(-pid, SIGKILL);
  while (waitpid(pid, nullptr, 0) < 0 && errno == EINTR) {
  }
  const int step = std::clamp(failure.step, 0, 5);
  const std::string where = step == 3 ? start.cwd : step == 1 ? start.stdin_path : start.path;
  return usage_error(fmt::format("cannot {} for the program", kStepNames[step]), where, std::strerror(failure.code));
}

}  // namespace ravel
