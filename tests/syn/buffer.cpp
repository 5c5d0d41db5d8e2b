// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Ravel authors
//
// One producer and one consumer at a buffer of two slots, three items (P13 with semaphores): an order with three
// deposits in a row is not possible, unless the faulty guard lets it be (-DFAULTY).
#include <semaphore.h>

#include <thread>

sem_t free_slots;
sem_t full_slots;
int items[4];

int main() {
#ifdef FAULTY
  sem_init(&free_slots, 0, 3);
#else
  sem_init(&free_slots, 0, 2);
#endif
  sem_init(&full_slots, 0, 0);
  std::thread producer([] {
    for (int i = 0; i < 3; ++i) {
      sem_wait(&free_slots);
      items[i] = i;
      sem_post(&full_slots);
    }
  });
  std::thread consumer([] {
    for (int i = 0; i < 3; ++i) {
      sem_wait(&full_slots);
      (void)items[i];
      sem_post(&free_slots);
    }
  });
  producer.join();
  consumer.join();
}
