// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Ravel authors
#include "hand_over.h"

#include <pthread.h>
#include <sched.h>

#ifdef ATOMICS
#include <atomic>
#endif

namespace {

struct Task {
  void (*run)(void*);
  void* argument;
#ifdef ATOMICS
  std::atomic<int> done{0};
#endif
};

void* start(void* task) {
  auto* const mine = static_cast<Task*>(task);
  mine->run(mine->argument);
#ifdef ATOMICS
  int none = 0;
  mine->done.compare_exchange_strong(none, 1);
#endif
  return nullptr;
}

}  // namespace

#ifdef ATOMICS
void one_after_the_other(void (*first)(void*), void (*second)(void*), void* argument) {
  Task task{first, argument, {}};
  pthread_t thread;
  pthread_create(&thread, nullptr, start, &task);
  while (task.done.load() == 0) sched_yield();
  second(argument);
  pthread_join(thread, nullptr);
}
#endif

void side_by_side(void (*first)(void*), void (*second)(void*), void* argument) {
  Task task{};
  task.run = first;
  task.argument = argument;
  pthread_t thread;
  pthread_create(&thread, nullptr, start, &task);
  second(argument);
  pthread_join(thread, nullptr);
}
