// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Ravel authors
//
// A thread ends with a robust mutex held. Another one may try before it is locked, while it is held, between the
// release and the end of the owner, or after that.
//
// expect: clean
// outcomes: a=0 b=0 | a=0 b=16 | a=0 b=130 | a=16 b=16 | a=16 b=130 | a=130 b=0
#include <errno.h>
#include <pthread.h>
#include <ravel/ravel.h>

static pthread_mutex_t mutex;

static void* owner(void*) {
  pthread_mutex_trylock(&mutex);
  return nullptr;
}

static int attempt() {
  const int result = pthread_mutex_trylock(&mutex);
  if (result == EOWNERDEAD) pthread_mutex_consistent(&mutex);
  if (result != EBUSY) pthread_mutex_unlock(&mutex);
  return result;
}

int main() {
  pthread_mutexattr_t attributes;
  pthread_mutexattr_init(&attributes);
  pthread_mutexattr_setrobust(&attributes, PTHREAD_MUTEX_ROBUST);
  pthread_mutex_init(&mutex, &attributes);
  pthread_t thread;
  pthread_create(&thread, nullptr, owner, nullptr);
  const int first = attempt();
  const int second = attempt();
  pthread_join(thread, nullptr);
  ravel::observe("a", first);
  ravel::observe("b", second);
}
