// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Ravel authors
//
// A signal ends a semaphore wait with EINTR, unless the post came first.
//
// outcomes: 2
#include <errno.h>
#include <pthread.h>
#include <ravel/ravel.h>
#include <semaphore.h>
#include <signal.h>

#include <thread>

int main() {
  struct sigaction action = {};
  action.sa_handler = [](int) {};
  sigaction(SIGUSR1, &action, nullptr);
  sem_t semaphore;
  sem_init(&semaphore, 0, 0);
  int result = 0;
  std::thread waiter([&] { result = sem_wait(&semaphore) == 0 ? 0 : errno; });
  pthread_kill(waiter.native_handle(), SIGUSR1);
  sem_post(&semaphore);
  waiter.join();
  ravel::observe("interrupted", result == EINTR);
}
