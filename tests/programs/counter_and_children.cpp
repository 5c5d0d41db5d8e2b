// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Ravel authors
//
// The time stamp counter is virtual here; programs that are started from here read the real one, and inherit neither
// control nor a descriptor of the tool's.
//
// expect: clean
// iterations: 20
// operations: create,join
#include <spawn.h>
#include <sys/wait.h>
#include <unistd.h>
#include <x86intrin.h>

#include <atomic>
#include <cassert>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <string>
#include <thread>

static int status_of(pid_t child) {
  int status = 0;
  assert(child > 0 && waitpid(child, &status, 0) == child && WIFEXITED(status));
  return WEXITSTATUS(status);
}

static constexpr int kFine = 5;

static int look_around() {
  if (std::getenv("RAVEL_CONTROL") != nullptr || std::getenv("LD_BIND_NOW") != nullptr) return 6;
  for (const auto& entry : std::filesystem::directory_iterator("/proc/self/fd")) {
    std::error_code gone;
    const std::string target = std::filesystem::read_symlink(entry.path(), gone).string();
    const bool standard = std::stoi(entry.path().filename().string()) <= 2;
    if (!standard && target.find("memfd:") != std::string::npos) return 7;
  }
  std::ifstream maps("/proc/self/maps");
  for (std::string line; std::getline(maps, line);) {
    if (line.find("memfd:ravel") != std::string::npos) return 8;
  }
  return __rdtsc() != 0 ? kFine : 9;
}

int main(int argc, char** argv) {
  if (argc > 1) return look_around();  // a child
  const std::uint64_t start = __rdtsc();

  std::atomic<int> ticks{0};
  std::thread worker([&] { ++ticks; });
  std::thread helper([&] { ++ticks; });
  char self[4096] = {};
  assert(readlink("/proc/self/exe", self, sizeof self - 1) > 0);
  char* words[] = {argv[0], const_cast<char*>("child"), nullptr};

  pid_t spawned = 0;
  assert(posix_spawn(&spawned, self, nullptr, nullptr, words, environ) == 0);
  assert(status_of(spawned) == kFine);
  const pid_t executed = vfork();
  if (executed == 0) {
    execl(self, "self", "child", nullptr);
    _exit(9);
  }
  assert(status_of(executed) == kFine);
  const std::string command = "'" + std::string(self) + "' child";
  assert(WEXITSTATUS(std::system(command.c_str())) == kFine);
  FILE* pipe = popen(command.c_str(), "r");
  assert(pipe != nullptr && WEXITSTATUS(pclose(pipe)) == kFine);

  worker.join();
  helper.join();
  assert(__rdtsc() > start && ticks == 2);  // virtual again
  return 0;
}
