// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Ravel authors
//
// pthread_exit: unwinds, runs destructors and gives its result; from main it leaves the other threads running.
//
// expect: clean
// operations: create,end
#include <pthread.h>

#include <atomic>
#include <cassert>
#include <cstdlib>

namespace {

std::atomic<int> unwound{0};
std::atomic<bool> main_gone{false};
int answer = 42;

struct Guard {
  ~Guard() { ++unwound; }
};

void leave() {
  Guard guard;
  pthread_exit(&answer);
}

void* early(void*) {
  Guard guard;
  leave();
  return nullptr;
}

void* last(void*) {
  while (!main_gone) {
    sched_yield();
  }
  assert(unwound == 3);
  std::exit(0);
}

struct MainGuard {
  ~MainGuard() {
    ++unwound;
    main_gone = true;
  }
};

}  // namespace

int main() {
  pthread_t thread;
  assert(pthread_create(&thread, nullptr, early, nullptr) == 0);
  void* result = nullptr;
  assert(pthread_join(thread, &result) == 0);
  assert(result == &answer);
  assert(pthread_create(&thread, nullptr, last, nullptr) == 0);
  MainGuard guard;
  pthread_exit(nullptr);
}
