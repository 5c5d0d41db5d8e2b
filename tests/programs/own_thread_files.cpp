// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Ravel authors
//
// A thread finds its own folder below /proc by the number that gettid() gave it, and the process its own by getpid().
//
// expect: clean
#include <fcntl.h>
#include <unistd.h>
#include <cassert>
#include <fstream>
#include <string>
#include <thread>

namespace {

void read_own_files() {
  const std::string number = std::to_string(gettid());
  std::ifstream name("/proc/self/task/" + number + "/comm");
  std::string text;
  assert(std::getline(name, text) && !text.empty());
  const int status = open(("/proc/" + std::to_string(getpid()) + "/task/" + number + "/stat").c_str(), O_RDONLY);
  assert(status >= 0);
  close(status);
}

}  // namespace

int main() {
  std::thread other(read_own_files);
  read_own_files();
  other.join();
  return 0;
}
