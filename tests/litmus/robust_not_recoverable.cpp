// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Ravel authors
//
// Three threads at a robust mutex: one dies with it, one gives it back as it is, and then nobody gets it.
#include <errno.h>
#include <pthread.h>
#include <ravel/ravel.h>

#include <thread>

static pthread_mutex_t mutex;

int main() {
  pthread_mutexattr_t attributes;
  pthread_mutexattr_init(&attributes);
  pthread_mutexattr_setrobust(&attributes, PTHREAD_MUTEX_ROBUST);
  pthread_mutex_init(&mutex, &attributes);
  int results[2] = {};
  const auto use = [&](int i) {
    results[i] = pthread_mutex_lock(&mutex);
    if (results[i] == 0 || results[i] == EOWNERDEAD) pthread_mutex_unlock(&mutex);
  };
  std::thread owner([] { pthread_mutex_lock(&mutex); });
  std::thread other([&] { use(0); });
  use(1);
  owner.join();
  other.join();
  ravel::observe("0", results[0]);
  ravel::observe("1", results[1]);
}
