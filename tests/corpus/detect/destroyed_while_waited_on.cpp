// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Ravel authors
//
// A condition variable is destroyed while a thread waits on it.
//
// expect: kind=misuse threads=T0 lines=destroy message=destroyed.while.in.use
#include <pthread.h>

#include <thread>

pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
pthread_cond_t stopped = PTHREAD_COND_INITIALIZER;
bool is_stopped = false;
bool is_waiting = false;

void wait_for_stop() {
  pthread_mutex_lock(&mutex);
  is_waiting = true;
  while (!is_stopped) pthread_cond_wait(&stopped, &mutex);
  pthread_mutex_unlock(&mutex);
}

bool waits() {
  pthread_mutex_lock(&mutex);
  const bool waiting = is_waiting;
  pthread_mutex_unlock(&mutex);
  return waiting;
}

int main() {
  std::thread waiter(wait_for_stop);
  while (!waits()) std::this_thread::yield();
#ifdef FIXED
  pthread_mutex_lock(&mutex);
  is_stopped = true;
  pthread_cond_broadcast(&stopped);
  pthread_mutex_unlock(&mutex);
  waiter.join();
#endif
  pthread_cond_destroy(&stopped);  // here: destroy
#ifndef FIXED
  waiter.join();
#endif
  return 0;
}
