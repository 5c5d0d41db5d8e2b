// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Ravel authors
//
// A thread that has said that it is done may not have ended yet: the attempt to join it comes out either way.
//
// outcomes: 2
#include <pthread.h>
#include <ravel/ravel.h>
#include <semaphore.h>

static sem_t done;

static void* work(void*) {
  sem_post(&done);
  return nullptr;
}

int main() {
  sem_init(&done, 0, 0);
  pthread_t worker;
  pthread_create(&worker, nullptr, work, nullptr);
  sem_wait(&done);
  const bool joined = pthread_tryjoin_np(worker, nullptr) == 0;
  if (!joined) pthread_join(worker, nullptr);
  ravel::observe("joined", joined);
}
