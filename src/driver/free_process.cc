// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Ravel authors
#include "driver/free_process.h"

#include <fcntl.h>
#include <signal.h>
#include <sys/mman.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cerrno>
#include <cstdlib>
#include <cstring>
#include <new>

#include "driver/busy_threads.h"
#include "driver/child_process.h"
#include "driver/interrupt.h"

namespace ravel {
namespace {

// Above what a program opens itself; the library closes it as soon as the block is mapped.
constexpr int kBlockDescriptor = 900;

// A program that eats the machine's memory is to die before the tool does.
void volunteer_for_oom() {
  const int fd = open("/proc/self/oom_score_adj", O_WRONLY | O_CLOEXEC);
  if (fd < 0) return;
  [[maybe_unused]] const ssize_t ignored = write(fd, "1000", 4);
  close(fd);
}

// Failures are expected here, and many of them.
void write_no_core() {
  const rlimit none{0, 0};
  setrlimit(RLIMIT_CORE, &none);
}

bool set_environment(int memory, const std::string& library) {
  const int fd = fcntl(memory, F_DUPFD, kBlockDescriptor);
  if (fd < 0) return false;
  const char* before = getenv("LD_PRELOAD");
  if (before != nullptr && setenv(kFreePreload, before, 1) != 0) return false;
  const std::string all = before != nullptr && before[0] != 0 ? library + ":" + before : library;
  return setenv("LD_PRELOAD", all.c_str(), 1) == 0 && setenv(kFreeVariable, std::to_string(fd).c_str(), 1) == 0;
}

}  // namespace

FreeProcess::~FreeProcess() {
  kill();
  if (block_ != nullptr) munmap(block_, bytes_);
  if (memory_ >= 0) close(memory_);
}

Result<void> FreeProcess::make_block(const FreeRequest& request) {
  bytes_ = free_block_bytes(request.trace);
  memory_ = memfd_create("ravel-free", MFD_CLOEXEC);
  if (memory_ < 0 || ftruncate(memory_, static_cast<off_t>(bytes_)) != 0) {
    return internal_error("cannot make shared memory", std::strerror(errno));
  }
  void* at = mmap(nullptr, bytes_, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_NORESERVE, memory_, 0);
  if (at == MAP_FAILED) return internal_error("cannot map shared memory", std::strerror(errno));
  block_ = static_cast<FreeBlock*>(at);  // all zero, which is what an empty block is
  block_->magic = kFreeMagic;
  block_->version = kFreeVersion;
  block_->request = request;
  return {};
}

Result<std::unique_ptr<FreeProcess>> FreeProcess::start(const ProgramStart& program, const std::string& library,
                                                        const FreeRequest& request) {
  std::unique_ptr<FreeProcess> made(new FreeProcess());
  if (auto block = made->make_block(request); !block) return tl::make_unexpected(block.error());
  if (!program.pass_output) {
    if (auto opened = made->output_.open(); !opened) return tl::make_unexpected(opened.error());
  }
  ChildStart child{program.path, program.argv, program.cwd, program.stdin_path, {-1, -1}, {}};
  child.output[0] = made->output_.fd(1);
  child.output[1] = made->output_.fd(2);
  child.prepare = [&] {
    made->block_->owner_pid = static_cast<std::uint32_t>(getpid());
    no_address_randomisation();
    volunteer_for_oom();
    write_no_core();
    use_processors(request.cpus);
    return set_environment(made->memory_, library);
  };
  auto pid = start_child(child);
  if (!pid) return tl::make_unexpected(pid.error());
  made->pid_ = *pid;
  return made;
}

bool FreeProcess::has_ended() {
  if (ended_ || pid_ < 0) return true;
  siginfo_t info{};
  if (waitid(P_PID, static_cast<id_t>(pid_), &info, WEXITED | WNOHANG | WNOWAIT) == 0 && info.si_pid == 0) return false;
  reap();
  return true;
}

void FreeProcess::reap() {
  no_longer_with_us(pid_);
  ::kill(-pid_, SIGKILL);  // what it left behind; its number is not free before it is reaped
  while (waitpid(pid_, &wait_status_, 0) < 0 && errno == EINTR) {
  }
  ended_ = true;
}

void FreeProcess::kill() {
  if (pid_ <= 0 || ended_) return;
  ::kill(pid_, SIGKILL);
  reap();
}

}  // namespace ravel
