// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Ravel authors
//
// pthread_cancel: threads that wait in each kind of call are ended there, their destructors run, and a condition wait
// has its mutex again by then.
//
// expect: clean
// operations: cancel,cancelled
#include <pthread.h>
#include <semaphore.h>
#include <unistd.h>

#include <atomic>
#include <cassert>
#include <chrono>
#include <thread>

static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t condition = PTHREAD_COND_INITIALIZER;
static sem_t never;
static int ends[2];
static std::atomic<int> destroyed{0};
static std::atomic<int> cleaned{0};
static bool locked_in_cleanup = false;

struct Guard {
  ~Guard() { ++destroyed; }
};

static void unlock(void*) {
  locked_in_cleanup = pthread_mutex_trylock(&mutex) != 0;
  assert(pthread_mutex_unlock(&mutex) == 0);
  ++cleaned;
}

static void* in_condition(void*) {
  Guard guard;
  pthread_mutex_lock(&mutex);
  pthread_cleanup_push(unlock, nullptr);
  for (;;) pthread_cond_wait(&condition, &mutex);
  pthread_cleanup_pop(1);
}

static void* in_semaphore(void*) {
  Guard guard;
  sem_wait(&never);
  return nullptr;
}

static void* in_read(void*) {
  Guard guard;
  char c = 0;
  (void)!read(ends[0], &c, 1);
  return nullptr;
}

static void* in_loop(void*) {
  Guard guard;
  for (;;) pthread_testcancel();
}

static void* asleep(void*) {
  Guard guard;
  for (;;) sleep(3600);
}

static void* in_join(void* other) {
  Guard guard;
  pthread_join(*static_cast<pthread_t*>(other), nullptr);
  return nullptr;
}

// Not before it says so.
static void* later(void*) {
  Guard guard;
  int before = -1;
  assert(pthread_setcancelstate(PTHREAD_CANCEL_DISABLE, &before) == 0 && before == PTHREAD_CANCEL_ENABLE);
  std::this_thread::sleep_for(std::chrono::seconds(1));
  pthread_testcancel();
  ++cleaned;
  assert(pthread_setcancelstate(PTHREAD_CANCEL_ENABLE, nullptr) == 0);
  for (;;) pthread_testcancel();
}

static void end(pthread_t thread) {
  assert(pthread_cancel(thread) == 0);
  void* result = nullptr;
  assert(pthread_join(thread, &result) == 0);
  assert(result == PTHREAD_CANCELED);
}

int main() {
  assert(sem_init(&never, 0, 0) == 0 && pipe(ends) == 0);
  pthread_t threads[3];
  assert(pthread_create(&threads[0], nullptr, in_condition, nullptr) == 0);
  assert(pthread_create(&threads[1], nullptr, in_semaphore, nullptr) == 0);
  assert(pthread_create(&threads[2], nullptr, in_read, nullptr) == 0);
  for (const pthread_t thread : threads) end(thread);
  // One that was cancelled before it got there has had no mutex to give back.
  assert(cleaned <= 1 && (cleaned == 0 || locked_in_cleanup));
  assert(destroyed == 3);
  cleaned = 0;
  assert(pthread_create(&threads[0], nullptr, in_loop, nullptr) == 0);
  assert(pthread_create(&threads[1], nullptr, asleep, nullptr) == 0);
  assert(pthread_create(&threads[2], nullptr, in_join, &threads[1]) == 0);
  end(threads[2]);
  end(threads[0]);
  end(threads[1]);
  assert(pthread_create(&threads[0], nullptr, later, nullptr) == 0);
  end(threads[0]);
  assert(cleaned == 1);
  assert(destroyed == 7);
  return 0;
}
