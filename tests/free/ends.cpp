// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Ravel authors
//
// ends HOW: a second thread ends the process, or never does.
#include <ravel/ravel.h>
#include <semaphore.h>
#include <unistd.h>

#include <cassert>
#include <csignal>
#include <cstdlib>
#include <future>
#include <mutex>
#include <stdexcept>
#include <string>
#include <thread>

int* volatile nowhere;
std::mutex first, second;

void end(const std::string& how) {
  if (how == "assert") assert(how.empty());             // here: assert
  if (how == "check") ravel::check(false, "not good");  // here: check
  if (how == "abort") std::abort();
  if (how == "segv") *nowhere = 1;                         // here: segv
  if (how == "throw") throw std::runtime_error("thrown");  // here: throw
  if (how == "exit") std::_Exit(9);
  if (how == "kill") raise(SIGKILL);
  if (how == "term") raise(SIGTERM);
  if (how == "semaphore") {
    sem_t never;
    sem_init(&never, 0, 0);
    sem_wait(&never);  // here: semaphore
  }
  if (how == "locks") {
    const std::lock_guard hold(second);
    usleep(20'000);
    first.lock();  // here: locks
  }
  if (how == "hang") std::promise<int>().get_future(), pause();
  if (how == "output") {
    const std::string line(1 << 16, 'x');
    for (int i = 0; i < 3'000; ++i) [[maybe_unused]] auto ignored = write(1, line.data(), line.size());
  }
}

int main(int, char** argv) {
  const std::string how = argv[1];
  std::thread other([&] { end(how); });
  if (how == "locks") {
    const std::lock_guard hold(first);
    usleep(20'000);
    second.lock();
  }
  other.join();
  return how == "return" ? 3 : 0;
}
