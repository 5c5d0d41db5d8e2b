// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Ravel authors
//
// Plain data published by semaphores of the standard library and of POSIX.
//
// expect: clean
#include <semaphore.h>

#include <cassert>
#include <semaphore>
#include <thread>

namespace {

void standard() {
  std::binary_semaphore full(0);
  std::binary_semaphore empty(1);
  int cell = 0;
  std::thread producer([&] {
    for (int i = 1; i <= 2; ++i) {
      empty.acquire();
      cell = i;
      full.release();
    }
  });
  for (int i = 1; i <= 2; ++i) {
    full.acquire();
    assert(cell == i);
    empty.release();
  }
  producer.join();
}

void posix() {
  sem_t ready;
  sem_init(&ready, 0, 0);
  int data[2] = {0, 0};
  std::thread first([&] {
    data[0] = 1;
    sem_post(&ready);
  });
  std::thread second([&] {
    data[1] = 1;
    sem_post(&ready);
  });
  while (sem_wait(&ready) != 0) {
  }
  while (sem_wait(&ready) != 0) {
  }
  assert(data[0] == 1 && data[1] == 1);
  first.join();
  second.join();
  sem_destroy(&ready);
}

}  // namespace

int main() {
  standard();
  posix();
  return 0;
}
