// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Ravel authors
//
// A child process made while another thread holds a lock: the handlers of pthread_atfork make it usable in the child.
//
// expect: clean
#include <pthread.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cassert>
#include <mutex>
#include <thread>

namespace {

std::mutex mutex;
int guarded = 0;

}  // namespace

int main() {
  pthread_atfork([] { mutex.lock(); }, [] { mutex.unlock(); }, [] { mutex.unlock(); });
  std::thread other([] {
    const std::lock_guard<std::mutex> guard(mutex);
    ++guarded;
  });
  const pid_t child = fork();
  if (child == 0) {
    const std::lock_guard<std::mutex> guard(mutex);
    _exit(guarded <= 1 ? 0 : 1);
  }
  int status = 0;
  assert(waitpid(child, &status, 0) == child);
  assert(WIFEXITED(status) && WEXITSTATUS(status) == 0);
  other.join();
  return 0;
}
