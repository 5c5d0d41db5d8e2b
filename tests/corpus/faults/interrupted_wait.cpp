// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Ravel authors
//
// sem_wait may end with EINTR before there is anything to take.
//
// expect: kind=assertion lines=checked preemptions=0
// options: --faults eintr
// injected: blocking call interrupted (EINTR)
#include <semaphore.h>

#include <atomic>
#include <cassert>
#include <cerrno>
#include <thread>

namespace {

sem_t filled;
std::atomic<int> item{0};

void take() {
#ifdef FIXED
  while (sem_wait(&filled) != 0 && errno == EINTR) {
  }
#else
  sem_wait(&filled);
#endif
  assert(item == 1);  // here: checked
}

}  // namespace

int main() {
  sem_init(&filled, 0, 0);
  std::thread consumer(take);
  std::thread producer([] {
    item = 1;
    sem_post(&filled);
  });
  consumer.join();
  producer.join();
  sem_destroy(&filled);
}
