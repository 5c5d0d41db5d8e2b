// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Ravel authors
//
// poll is a cancellation point; the locked part behind it is none, so the mutex is never left locked.
//
// expect: clean
// outcomes: cancelled=0 count=2 | cancelled=1 count=0
#include <poll.h>
#include <pthread.h>
#include <ravel/ravel.h>
#include <unistd.h>

#include <atomic>
#include <cassert>

static int ends[2];
static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
static std::atomic<int> count{0};

static void* waiter(void*) {
  pollfd one = {ends[0], POLLIN, 0};
  assert(poll(&one, 1, -1) == 1);
  count.fetch_add(1);
  pthread_mutex_lock(&mutex);
  count.fetch_add(1);
  pthread_mutex_unlock(&mutex);
  return nullptr;
}

int main() {
  assert(pipe(ends) == 0);
  pthread_t thread;
  pthread_create(&thread, nullptr, waiter, nullptr);
  assert(write(ends[1], "x", 1) == 1);
  pthread_cancel(thread);
  void* result = nullptr;
  pthread_join(thread, &result);
  assert(pthread_mutex_trylock(&mutex) == 0);
  ravel::observe("count", count.load());
  ravel::observe("cancelled", result == PTHREAD_CANCELED ? 1 : 0);
}
