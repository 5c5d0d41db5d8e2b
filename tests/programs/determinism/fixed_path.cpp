// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Ravel authors
//
// Writes below a fixed path in /tmp, as tests of storage engines do, and fails when it finds what an earlier execution
// has written. What lies in /tmp anyway (the argument) is still seen.
#include <sys/stat.h>
#include <unistd.h>

#include <cassert>
#include <fstream>
#include <mutex>
#include <string>
#include <thread>

namespace {

const std::string kFolder = "/tmp/ravel-test-of-fixed-paths";
std::mutex mutex;
int written = 0;

void write_file(const char* name) {
  std::ofstream(kFolder + "/" + name) << "text\n";
  const std::lock_guard<std::mutex> guard(mutex);
  ++written;
}

}  // namespace

int main(int count, char** words) {
  assert(access(kFolder.c_str(), F_OK) != 0);
  assert(count == 1 || access(words[1], R_OK) == 0);
  mkdir(kFolder.c_str(), 0755);
  std::thread other(write_file, "first");
  write_file("second");
  other.join();
  assert(written == 2 && access((kFolder + "/first").c_str(), R_OK) == 0);
  return 0;
}
