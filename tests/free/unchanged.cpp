// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Ravel authors
//
// What noise must not change: fork in the middle, cancellation of a sleeping thread, a thread_local destructor that
// locks, handlers of signals, exceptions, dlopen, programs that are started, the environment.
#include <dlfcn.h>
#include <pthread.h>
#include <signal.h>
#include <sys/wait.h>
#include <unistd.h>

#include <atomic>
#include <cstdio>
#include <cstdlib>
#include <mutex>
#include <stdexcept>
#include <thread>
#include <vector>

std::mutex lock;
int count = 0;
std::atomic<int> handled{0};

struct Locks {
  ~Locks() {
    const std::lock_guard hold(lock);
    ++count;
  }
};
thread_local Locks locks;

void on_signal(int) {
  ++handled;
}

void work() {
  [[maybe_unused]] Locks* made = &locks;
  for (int i = 0; i < 20; ++i) {
    try {
      const std::lock_guard hold(lock);
      ++count;
      if (i % 5 == 0) throw std::runtime_error("expected");
    } catch (const std::exception&) {
    }
  }
  raise(SIGUSR1);
}

void* sleep_for_ever(void*) {
  for (;;) sleep(100);
}

int in_child() {
  int sum = 0;
  for (int i = 0; i < 1000; ++i) sum += i;
  std::thread more([&] { ++sum; });
  more.join();
  return sum % 100;
}

int main() {
  struct sigaction before {};
  sigaction(SIGSEGV, nullptr, &before);
  const bool untouched = before.sa_handler == SIG_DFL;
  signal(SIGUSR1, on_signal);
  std::vector<std::thread> all;
  for (int i = 0; i < 4; ++i) all.emplace_back(work);
  const pid_t child = fork();
  if (child == 0) _exit(in_child());
  pthread_t sleeper;
  pthread_create(&sleeper, nullptr, sleep_for_ever, nullptr);
  usleep(1000);
  pthread_cancel(sleeper);
  void* result = nullptr;
  pthread_join(sleeper, &result);
  for (std::thread& one : all) one.join();
  int status = 0;
  waitpid(child, &status, 0);
  void* library = dlopen("libm.so.6", RTLD_NOW);
  const auto cosine = reinterpret_cast<double (*)(double)>(dlsym(library, "cos"));
  std::printf("%d %d %d %.1f %d %d %s %s\n", count, handled.load(), WEXITSTATUS(status), cosine(0),
              result == PTHREAD_CANCELED, untouched, getenv("LD_PRELOAD") != nullptr ? "preloaded" : "-",
              getenv("RAVEL_FREE") != nullptr ? "told" : "-");
  std::fflush(stdout);
  return system("echo started: $LD_PRELOAD; exit 7") >> 8;
}
