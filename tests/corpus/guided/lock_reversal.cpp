// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Ravel authors
//
// Two locks in two orders, by pthread calls that clang's static analyzer knows: it warns of the order in which they are
// given back. FIXED has one order, and is warned of all the same.
#include <pthread.h>

pthread_mutex_t from = PTHREAD_MUTEX_INITIALIZER;
pthread_mutex_t to = PTHREAD_MUTEX_INITIALIZER;
int total = 0;

void* forwards(void*) {
  pthread_mutex_lock(&from);
  pthread_mutex_lock(&to);
  ++total;
  pthread_mutex_unlock(&from);
  pthread_mutex_unlock(&to);
  return nullptr;
}

void* backwards(void*) {
#ifdef FIXED
  return forwards(nullptr);
#else
  pthread_mutex_lock(&to);
  pthread_mutex_lock(&from);
  ++total;
  pthread_mutex_unlock(&to);
  pthread_mutex_unlock(&from);
  return nullptr;
#endif
}

int main() {
  pthread_t threads[2];
  pthread_create(&threads[0], nullptr, forwards, nullptr);
  pthread_create(&threads[1], nullptr, backwards, nullptr);
  for (pthread_t thread : threads) pthread_join(thread, nullptr);
  return total == 2 ? 0 : 1;
}
