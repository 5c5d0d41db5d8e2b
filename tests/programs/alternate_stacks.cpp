// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Ravel authors
//
// sigaltstack belongs to a thread: each handler runs on the stack of the thread that it interrupts, also one that takes
// a fault and leaves by siglongjmp, and a thread that has none runs it on its own.
//
// expect: clean
// operations: kill,handle
#include <pthread.h>
#include <setjmp.h>
#include <signal.h>

#include <atomic>
#include <cassert>
#include <cerrno>
#include <cstddef>
#include <thread>

static constexpr std::size_t kBytes = 64 << 10;

static thread_local char* own_stack = nullptr;  // nullptr: none
static thread_local int handled = 0;
static thread_local sigjmp_buf way_out;
static std::atomic<int> ready{0};

static bool on_own_stack(const void* pointer) {
  return own_stack != nullptr && pointer >= own_stack && pointer < own_stack + kBytes;
}

static void look(int) {
  char here = 0;
  assert(on_own_stack(&here) == (own_stack != nullptr));
  stack_t now = {};
  assert(sigaltstack(nullptr, &now) == 0);
  if (own_stack != nullptr) {
    assert(now.ss_flags == SS_ONSTACK && now.ss_sp == own_stack);
    stack_t none = {};
    none.ss_flags = SS_DISABLE;
    assert(sigaltstack(&none, nullptr) == -1 && errno == EPERM);
  }
  ++handled;
}

static void escape(int) {
  char here = 0;
  assert(on_own_stack(&here));
  siglongjmp(way_out, 1);
}

static void install(int number, void (*handler)(int)) {
  struct sigaction action = {};
  action.sa_handler = handler;
  action.sa_flags = SA_ONSTACK;
  assert(sigaction(number, &action, nullptr) == 0);
}

static void work(bool with_stack, bool faults) {
  stack_t before = {};
  assert(sigaltstack(nullptr, &before) == 0 && before.ss_flags == SS_DISABLE);
  char* memory = with_stack ? new char[kBytes] : nullptr;
  if (with_stack) {
    stack_t small = {};
    small.ss_sp = memory;
    small.ss_size = 16;
    assert(sigaltstack(&small, nullptr) == -1 && errno == ENOMEM);
    stack_t mine = {};
    mine.ss_sp = memory;
    mine.ss_size = kBytes;
    assert(sigaltstack(&mine, nullptr) == 0);
    own_stack = memory;
  }
  ++ready;
  while (handled == 0) std::this_thread::yield();
  if (faults) {
    volatile int rounds = 0;
    if (sigsetjmp(way_out, 1) == 0 || rounds < 3) {
      rounds = rounds + 1;
      volatile int* volatile nowhere = nullptr;
      *nowhere = 1;
    }
    assert(rounds == 3);
  }
  stack_t none = {};
  none.ss_flags = SS_DISABLE;
  assert(sigaltstack(&none, nullptr) == 0);
  own_stack = nullptr;
  delete[] memory;
}

int main() {
  install(SIGUSR1, look);
  install(SIGSEGV, escape);
  std::thread first([] { work(true, true); });
  std::thread second([] { work(true, false); });
  std::thread third([] { work(false, false); });
  while (ready != 3) std::this_thread::yield();
  for (std::thread* thread : {&first, &second, &third}) assert(pthread_kill(thread->native_handle(), SIGUSR1) == 0);
  first.join();
  second.join();
  third.join();
  return 0;
}
