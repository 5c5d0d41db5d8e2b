// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Ravel authors
//
// Timers go off in virtual time: alarm, setitimer, and timer_create with a signal and with a thread.
//
// expect: clean
// operations: handle,create
#include <signal.h>
#include <sys/time.h>
#include <time.h>
#include <unistd.h>

#include <atomic>
#include <cassert>
#include <cerrno>
#include <chrono>
#include <mutex>
#include <thread>

static std::atomic<int> alarms{0};
static std::mutex mutex;
static int expirations = 0;

static void on_alarm(int) {
  ++alarms;
}

struct Payload {
  int value;
};

static void expired(sigval value) {
  std::lock_guard lock(mutex);
  assert(static_cast<Payload*>(value.sival_ptr)->value == 9);
  ++expirations;
}

static int count() {
  std::lock_guard lock(mutex);
  return expirations;
}

int main() {
  struct sigaction action = {};
  action.sa_handler = on_alarm;
  assert(sigaction(SIGALRM, &action, nullptr) == 0);

  const auto start = std::chrono::steady_clock::now();
  alarm(3600);
  while (alarms == 0) pause();
  assert(std::chrono::steady_clock::now() - start >= std::chrono::hours(1));
  assert(alarm(100) == 0);
  assert(alarm(0) > 0);

  itimerval every = {};
  every.it_value.tv_sec = every.it_interval.tv_sec = 1;
  assert(setitimer(ITIMER_REAL, &every, nullptr) == 0);
  std::thread sleeper([] {
    while (alarms < 4) std::this_thread::sleep_for(std::chrono::milliseconds(700));
  });
  sleeper.join();
  every = {};
  assert(setitimer(ITIMER_REAL, &every, nullptr) == 0);

  Payload payload = {9};
  sigevent event = {};
  event.sigev_notify = SIGEV_THREAD;
  event.sigev_notify_function = expired;
  event.sigev_value.sival_ptr = &payload;
  timer_t timer = nullptr;
  assert(timer_create(CLOCK_MONOTONIC, &event, &timer) == 0);
  itimerspec spec = {};
  spec.it_value.tv_sec = 5;
  spec.it_interval.tv_sec = 5;
  assert(timer_settime(timer, 0, &spec, nullptr) == 0);
  while (count() < 2) std::this_thread::sleep_for(std::chrono::seconds(1));
  assert(timer_gettime(timer, &spec) == 0);
  assert(timer_delete(timer) == 0);
  assert(timer_delete(timer) == -1 && errno == EINVAL);
  // Threads that have begun already may still run.
  std::this_thread::sleep_for(std::chrono::seconds(60));
  const int now = count();
  std::this_thread::sleep_for(std::chrono::seconds(60));
  assert(count() == now);
  return 0;
}
