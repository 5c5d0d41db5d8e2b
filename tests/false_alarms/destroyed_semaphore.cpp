// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Ravel authors
//
// A POSIX semaphore destroyed by who took the unit, while the one that posted it is still on its way out of sem_post.
//
// expect: clean
#include <semaphore.h>

#include <thread>

int main() {
  for (int i = 0; i < 2; ++i) {
    auto* const semaphore = new sem_t;
    sem_init(semaphore, 0, 0);
    std::thread other([semaphore] { sem_post(semaphore); });
    while (sem_wait(semaphore) != 0) {
    }
    sem_destroy(semaphore);
    delete semaphore;
    other.join();
  }
  return 0;
}
