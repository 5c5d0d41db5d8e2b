// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Ravel authors
//
// FUTEX_CMP_REQUEUE: one waiter is woken, the others wait at a second word from then on and are woken there.
//
// expect: clean
// search: bounded,preemptions=1
// outcomes: left=0
#include <linux/futex.h>
#include <pthread.h>
#include <ravel/ravel.h>
#include <sys/syscall.h>
#include <unistd.h>

#include <atomic>
#include <cassert>

static std::atomic<unsigned> first{0};
static std::atomic<unsigned> second{0};
static std::atomic<int> waiting{0};

static long futex(std::atomic<unsigned>& word, int operation, unsigned value, unsigned long more = 0,
                  std::atomic<unsigned>* other = nullptr, unsigned expected = 0) {
  return syscall(SYS_futex, &word, operation | FUTEX_PRIVATE_FLAG, value, more, other, expected);
}

static void* waiter(void*) {
  ++waiting;
  while (first == 0) futex(first, FUTEX_WAIT, 0);
  --waiting;
  return nullptr;
}

int main() {
  pthread_t threads[2];
  for (pthread_t& one : threads) pthread_create(&one, nullptr, waiter, nullptr);
  assert(futex(first, FUTEX_CMP_REQUEUE, 1, 1, &second, 5) == -1);
  first = 1;
  const long moved = futex(first, FUTEX_CMP_REQUEUE, 1, 1, &second, 1);
  assert(moved >= 0 && moved <= 2);
  const long woken = futex(second, FUTEX_WAKE, 1);
  assert(woken == (moved == 2 ? 1 : 0));
  for (const pthread_t one : threads) pthread_join(one, nullptr);
  ravel::observe("left", waiting.load());
}
