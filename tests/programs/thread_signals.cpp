// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Ravel authors
//
// Signals between threads: a handler that sets a flag, masks of single threads, a thread that waits for signals, calls
// that a handler interrupts or does not.
//
// expect: clean
// operations: kill,handle,sigwait
#include <pthread.h>
#include <semaphore.h>
#include <signal.h>
#include <unistd.h>

#include <atomic>
#include <cassert>
#include <cerrno>
#include <chrono>
#include <condition_variable>
#include <ctime>
#include <mutex>
#include <thread>

static std::atomic<int> flag{0};
static std::atomic<int> handled{0};
static std::atomic<pthread_t> handler_thread{};

static void set_flag(int) {
  handler_thread = pthread_self();
  flag = 1;
  ++handled;
}

static void on_queue(int, siginfo_t* info, void*) {
  assert(info->si_code == SI_QUEUE);
  handled += info->si_value.sival_int;
}

static void install(int number, int flags) {
  struct sigaction action = {};
  action.sa_handler = set_flag;
  action.sa_flags = flags;
  assert(sigaction(number, &action, nullptr) == 0);
}

// The handler runs in the thread that was named, while it loops.
static void flag_in_a_loop() {
  flag = 0;
  std::thread loop([] {
    while (flag == 0) std::this_thread::yield();
    assert(pthread_equal(handler_thread, pthread_self()));
  });
  assert(pthread_kill(loop.native_handle(), SIGUSR1) == 0);
  loop.join();
}

// Blocked in this thread: it waits until it is let in.
static void masks() {
  handled = 0;
  std::thread careful([] {
    sigset_t set;
    sigset_t before;
    sigemptyset(&set);
    sigaddset(&set, SIGUSR1);
    assert(pthread_sigmask(SIG_BLOCK, &set, &before) == 0);
    assert(sigismember(&before, SIGUSR1) == 0);
    const int seen = handled;
    raise(SIGUSR1);
    assert(handled == seen);
    sigset_t waiting;
    assert(sigpending(&waiting) == 0 && sigismember(&waiting, SIGUSR1) == 1);
    assert(pthread_sigmask(SIG_SETMASK, &before, nullptr) == 0);
    assert(handled > seen);
  });
  sigset_t mine;
  assert(pthread_sigmask(SIG_SETMASK, nullptr, &mine) == 0);
  assert(sigismember(&mine, SIGUSR1) == 0);
  careful.join();
  assert(handled == 1);
}

// All block it, one waits for it: the usual way to have no handlers.
static void waiter() {
  sigset_t set;
  sigemptyset(&set);
  sigaddset(&set, SIGTERM);
  sigaddset(&set, SIGUSR2);
  assert(pthread_sigmask(SIG_BLOCK, &set, nullptr) == 0);
  int data = 0;
  std::thread watcher([&] {
    int number = 0;
    assert(sigwait(&set, &number) == 0 && number == SIGUSR2);
    assert(data == 5);
    siginfo_t info;
    assert(sigwaitinfo(&set, &info) == SIGTERM);
    const timespec hour = {3600, 0};
    assert(sigtimedwait(&set, &info, &hour) == -1 && errno == EAGAIN);
  });
  data = 5;
  assert(kill(getpid(), SIGUSR2) == 0);
  assert(pthread_kill(watcher.native_handle(), SIGTERM) == 0);
  watcher.join();
  assert(pthread_sigmask(SIG_UNBLOCK, &set, nullptr) == 0);
}

static void interrupted_calls() {
  sem_t never;
  assert(sem_init(&never, 0, 0) == 0);
  int ends[2];
  assert(pipe(ends) == 0);
  install(SIGUSR1, 0);
  handled = 0;
  std::thread sleeper([] {
    const timespec day = {86'400, 0};
    timespec rest = {};
    while (handled == 0) {
      if (nanosleep(&day, &rest) == 0) continue;
      assert(errno == EINTR && rest.tv_sec <= day.tv_sec);
      assert(handled > 0);
    }
  });
  std::thread waits([&] {
    while (sem_wait(&never) != 0) assert(errno == EINTR);  // goes on until there is one
  });
  std::thread reads([&] {
    char c = 0;
    const ssize_t n = read(ends[0], &c, 1);
    assert(n == 1 || (n == -1 && errno == EINTR));
  });
  pthread_kill(sleeper.native_handle(), SIGUSR1);
  pthread_kill(waits.native_handle(), SIGUSR1);
  pthread_kill(reads.native_handle(), SIGUSR1);
  assert(sem_post(&never) == 0);
  assert(write(ends[1], "x", 1) == 1);
  while (handled < 3) std::this_thread::sleep_for(std::chrono::seconds(1));
  sleeper.join();
  waits.join();
  reads.join();
}

// A handler is no wake-up that a correct wait would mistake for one, and a lock is got all the same.
static void locks_and_waits() {
  std::mutex mutex;
  std::condition_variable changed;
  bool done = false;
  install(SIGUSR1, SA_RESTART);
  std::thread waits([&] {
    std::unique_lock lock(mutex);
    changed.wait(lock, [&] { return done; });
  });
  std::thread locks([&] { std::lock_guard lock(mutex); });
  pthread_kill(waits.native_handle(), SIGUSR1);
  pthread_kill(locks.native_handle(), SIGUSR1);
  {
    std::lock_guard lock(mutex);
    done = true;
  }
  changed.notify_one();
  waits.join();
  locks.join();
}

int main() {
  install(SIGUSR1, 0);
  flag_in_a_loop();
  masks();
  waiter();
  interrupted_calls();
  locks_and_waits();

  struct sigaction action = {};
  action.sa_sigaction = on_queue;
  action.sa_flags = SA_SIGINFO;
  assert(sigaction(SIGRTMIN, &action, nullptr) == 0);
  handled = 0;
  sigval value = {};
  value.sival_int = 40;
  std::thread other([] { std::this_thread::yield(); });
  assert(sigqueue(getpid(), SIGRTMIN, value) == 0);
  other.join();
  while (handled != 40) pause();
  return 0;
}
