// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Ravel authors
//
// Concurrency Kit's ring for one producer and one consumer, and its ticket lock: atomics in inline assembly. BROKEN has
// two producers.
//
// expect: clean
// broken: kind=data-race|assertion|deadlock|step-limit
// libraries: -lck
#include <assert.h>
#include <ck_ring.h>
#include <ck_spinlock.h>
#include <pthread.h>
#include <sched.h>

static ck_ring_t ring;
static ck_ring_buffer_t buffer[8];
static ck_spinlock_ticket_t lock = CK_SPINLOCK_TICKET_INITIALIZER;
static int guarded = 0;
static int items[4] = {1, 2, 3, 4};

static void* produce(void* from) {
  int* const first = from;
#ifdef BROKEN
  const int count = 2;
#else
  const int count = 4;
#endif
  for (int i = 0; i < count; ++i) {
    while (!ck_ring_enqueue_spsc(&ring, buffer, first + i)) sched_yield();
  }
  ck_spinlock_ticket_lock(&lock);
  ++guarded;
  ck_spinlock_ticket_unlock(&lock);
  return NULL;
}

int main(void) {
  pthread_t first;
  ck_ring_init(&ring, 8);
  pthread_create(&first, NULL, produce, &items[0]);
#ifdef BROKEN
  pthread_t second;
  pthread_create(&second, NULL, produce, &items[2]);
#endif
  int sum = 0;
  for (int taken = 0; taken < 4;) {
    void* item = NULL;
    if (!ck_ring_dequeue_spsc(&ring, buffer, &item)) {
      sched_yield();
      continue;
    }
    sum += *(int*)item;
    ++taken;
  }
  ck_spinlock_ticket_lock(&lock);
  ++guarded;
  ck_spinlock_ticket_unlock(&lock);
  pthread_join(first, NULL);
#ifdef BROKEN
  pthread_join(second, NULL);
#endif
  assert(sum == 10);
  return 0;
}
