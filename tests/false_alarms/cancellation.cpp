// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Ravel authors
//
// Threads cancelled in a wait, in a sleep and by testcancel; their cleanup gives back what they hold.
//
// expect: clean
#include <pthread.h>
#include <unistd.h>

#include <cassert>

namespace {

pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
pthread_cond_t changed = PTHREAD_COND_INITIALIZER;
int cleaned = 0;

void give_back(void*) {
  ++cleaned;
  pthread_mutex_unlock(&mutex);
}

void* wait(void*) {
  pthread_mutex_lock(&mutex);
  pthread_cleanup_push(give_back, nullptr);
  for (;;) pthread_cond_wait(&changed, &mutex);
  pthread_cleanup_pop(0);
  return nullptr;
}

void* sleep_long(void*) {
  sleep(3600);
  return nullptr;
}

void* ask(void*) {
  for (;;) pthread_testcancel();
  return nullptr;
}

}  // namespace

int main() {
  pthread_t threads[3];
  pthread_create(&threads[0], nullptr, wait, nullptr);
  pthread_create(&threads[1], nullptr, sleep_long, nullptr);
  pthread_create(&threads[2], nullptr, ask, nullptr);
  for (pthread_t thread : threads) {
    pthread_cancel(thread);
    void* result = nullptr;
    pthread_join(thread, &result);
    assert(result == PTHREAD_CANCELED || result == nullptr);
  }
  pthread_mutex_lock(&mutex);
  assert(cleaned <= 1);
  pthread_mutex_unlock(&mutex);
  return 0;
}
