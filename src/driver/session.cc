// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Ravel authors
#include "driver/session.h"

#include <fcntl.h>
#include <fmt/format.h>
#include <signal.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstdlib>
#include <cstring>
#include <string_view>

#include "driver/child_process.h"
#include "driver/end_watch.h"
#include "driver/interrupt.h"
#include "model/text/printable.h"

namespace ravel {
namespace {

// Above what a program opens itself, so that its descriptor numbers are what they are without us.
constexpr int kControlDescriptor = 900;

// Returns the number the program will see, or -1.
int place_control(int memory) {
  int fd = fcntl(memory, F_DUPFD, kControlDescriptor);
  if (fd < 0) fd = dup(memory);
  if (fd < 0) return -1;
  char number[16];
  std::snprintf(number, sizeof number, "%d", fd);
  if (setenv(kControlVariable, number, 1) != 0 || setenv("LD_BIND_NOW", "1", 1) != 0) return -1;
  return fd;
}

// Local time is not the machine's business.
void fix_time_zone() {
  setenv("TZ", "UTC0", 1);
}

}  // namespace

Result<std::unique_ptr<Session>> Session::create() {
  auto memory = SharedMemory::create();
  if (!memory) return tl::make_unexpected(memory.error());
  return create(std::move(*memory));
}

std::unique_ptr<Session> Session::create(SharedMemory memory) {
  return std::unique_ptr<Session>(new Session(std::move(memory)));
}

Session::~Session() {
  kill();
  if (end_ >= 0) close(end_);
}

void Session::set_regions(const std::vector<CodeRange>& code) {
  Campaign& campaign = block().campaign;
  campaign.region_functions = static_cast<std::uint32_t>(std::min<std::size_t>(code.size(), kMaxRegionFunctions));
  std::copy_n(code.begin(), campaign.region_functions, campaign.region_table);
}

void Session::set_coverage_code(const std::vector<CodeRange>& system, const std::vector<CodeRange>& jobs) {
  Campaign& campaign = block().campaign;
  const std::size_t count = std::min<std::size_t>(system.size(), kMaxSystemCode - 1);
  campaign.system_ranges = static_cast<std::uint32_t>(count);
  std::copy_n(system.begin(), count, block().system_code);
  campaign.job_functions = static_cast<std::uint32_t>(std::min<std::size_t>(jobs.size(), kMaxRegionFunctions));
  std::copy_n(jobs.begin(), campaign.job_functions, campaign.job_table);
}

Result<void> Session::start(const ProgramStart& program) {
  set_regions(program.regions.code);
  if (program.scratch) {
    if (auto made = scratch_.make(); !made) return tl::make_unexpected(made.error());
    scratch_.path().copy(block().campaign.scratch, sizeof(Campaign::scratch) - 1);
  }
  if (!program.pass_output) {
    if (auto opened = capture_.open(); !opened) return opened;
  }
  ChildStart child{program.path, program.argv, program.cwd, program.stdin_path, {capture_.fd(1), capture_.fd(2)}, {}};
  child.prepare = [this] {
    for (int fd : inherited_) fcntl(fd, F_SETFD, 0);
    if (place_control(memory_.descriptor()) < 0) return false;
    fix_time_zone();
    no_address_randomisation();
    block().header.owner_pid = static_cast<std::uint32_t>(getpid());
    return true;
  };
  auto started = start_child(child);
  if (!started) return tl::make_unexpected(started.error());
  pid_ = *started;
  end_ = open_end_of(pid_);
  return {};
}

Error Session::execute(const std::vector<std::string>& command, const ProgramStart& program) {
  set_regions(program.regions.code);
  std::string cwd = program.cwd;
  if (program.scratch) {
    if (auto made = scratch_.make(); !made) return made.error();  // stays behind: this process is replaced
    cwd = scratch_.path();
  }
  if (!cwd.empty() && chdir(cwd.c_str()) != 0) {
    return {ErrorKind::kUsage, "cannot change to the folder", cwd, std::strerror(errno)};
  }
  for (int fd : inherited_) fcntl(fd, F_SETFD, 0);
  block().header.owner_pid = 0;  // gdb starts the program: the first process that asks takes control
  if (place_control(memory_.descriptor()) < 0)
    return {ErrorKind::kInternal, "cannot pass the control descriptor", "", ""};
  fix_time_zone();
  no_address_randomisation();
  std::vector<char*> argv = argument_pointers(command);
  execvp(argv[0], argv.data());
  return {ErrorKind::kUsage, "cannot run", command[0], std::strerror(errno)};
}

SessionState Session::poll() {
  if (ended_ || pid_ < 0) return SessionState::kEnded;
  siginfo_t info{};
  if (waitid(P_PID, static_cast<id_t>(pid_), &info, WEXITED | WNOHANG | WNOWAIT) == 0 && info.si_pid == 0) {
    return SessionState::kRunning;
  }
  reap();
  return SessionState::kEnded;
}

void Session::reap() {
  // While the leader is not yet reaped its number cannot be anybody else's: the time to end what it left behind.
  no_longer_with_us(pid_);
  ::kill(-pid_, SIGKILL);
  while (waitpid(pid_, &wait_status_, 0) < 0 && errno == EINTR) {
  }
  ended_ = true;
}

void Session::request_stop() {
  block().control.stop.store(1, std::memory_order_relaxed);
}

void Session::kill() {
  if (pid_ <= 0 || ended_) return;
  ::kill(pid_, SIGKILL);
  reap();
}

void Session::kill_child() {
  const pid_t child = block().control.child_pid.load(std::memory_order_relaxed);
  // The number comes from the tested process: only a member of our own group is touched.
  if (child > 1 && child != pid_ && getpgid(child) == pid_) ::kill(child, SIGKILL);
}

bool Session::campaign_done() const {
  return memory_.block().progress.done.load(std::memory_order_acquire) != 0;
}

bool Session::runtime_ready() const {
  return memory_.block().control.ready.load(std::memory_order_acquire) != 0;
}

std::string Session::start_problem() const {
  const Control& control = memory_.block().control;
  if (control.error != 0) {
    return std::string(control.error_text, strnlen(control.error_text, sizeof control.error_text));
  }
  if (!ended_ || runtime_ready()) return {};
  // A runtime of another version cannot use our block: what it has to say is on stderr.
  constexpr std::string_view kOurs = "ravel: ";
  const std::string said = captured(2);
  if (said.starts_with(kOurs)) return printable_line(said.substr(kOurs.size(), said.find('\n') - kOurs.size()));
  if (WIFSIGNALED(wait_status_)) {
    return fmt::format("the program was ended by {} before the runtime was ready", strsignal(WTERMSIG(wait_status_)));
  }
  return fmt::format("the program ended with status {} before the runtime was ready", WEXITSTATUS(wait_status_));
}

}  // namespace ravel
