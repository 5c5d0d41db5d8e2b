// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Ravel authors
//
// Threads that ask the kernel for a processor and a priority of their own, by the numbers they have: it is granted, and
// which thread runs stays the plan's business.
//
// expect: clean
// operations: lock,unlock
// native: no
#include <pthread.h>
#include <sched.h>
#include <sys/resource.h>
#include <unistd.h>

#include <cassert>
#include <cerrno>
#include <mutex>
#include <thread>

static std::mutex mutex;
static int count = 0;

static void work() {
  cpu_set_t set;
  CPU_ZERO(&set);
  CPU_SET(1, &set);
  assert(sched_setaffinity(gettid(), sizeof set, &set) == 0);
  assert(sched_setaffinity(0, sizeof set, &set) == 0);
  CPU_ZERO(&set);
  assert(sched_getaffinity(gettid(), sizeof set, &set) == 0 && CPU_COUNT(&set) == 1 && CPU_ISSET(1, &set));
  CPU_ZERO(&set);
  assert(sched_setaffinity(gettid(), sizeof set, &set) == -1 && errno == EINVAL);
  CPU_SET(2, &set);
  assert(pthread_setaffinity_np(pthread_self(), sizeof set, &set) == 0);
  CPU_ZERO(&set);
  assert(sched_getaffinity(0, sizeof set, &set) == 0 && CPU_COUNT(&set) == 1 && CPU_ISSET(2, &set));
  assert(setpriority(PRIO_PROCESS, static_cast<id_t>(gettid()), 5) == 0);
  assert(getpriority(PRIO_PROCESS, static_cast<id_t>(gettid())) == 5);
  sched_param parameter = {};
  assert(sched_getscheduler(gettid()) == SCHED_OTHER && sched_getparam(gettid(), &parameter) == 0);
  assert(sched_setscheduler(gettid(), SCHED_OTHER, &parameter) == 0);
  const std::lock_guard<std::mutex> guard(mutex);
  ++count;
}

int main() {
  cpu_set_t all;
  assert(sched_getaffinity(0, sizeof all, &all) == 0 && CPU_COUNT(&all) == 4);
  std::thread other(work);
  work();
  other.join();
  assert(count == 2);
}
