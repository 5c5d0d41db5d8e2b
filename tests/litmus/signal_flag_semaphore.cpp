// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Ravel authors
//
// The same with a semaphore that nobody posts.
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
  waiter.join();
  ravel::observe("interrupted", result == EINTR);
}
