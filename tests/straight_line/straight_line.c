// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Ravel authors
//
// Up to four threads that only do a given number of memory operations each, for counting schedules: -DTHREADS=2
// -DLENGTH0=3 -DLENGTH1=2. Atomic stores with -DATOMIC, plain stores to memory of the thread's own otherwise.
// Everything else a thread does (argument, loop) stays in registers, so that no other access is a scheduling point.
#include <pthread.h>
#include <stdatomic.h>
#include <stddef.h>

#ifndef LENGTH2
#define LENGTH2 0
#endif
#ifndef LENGTH3
#define LENGTH3 0
#endif

#ifdef ATOMIC
static volatile atomic_int cells[4];  // volatile: nobody reads them, and they are to be written all the same
#define STORE(cell, value) atomic_store_explicit(&cells[cell], value, memory_order_relaxed)
#else
static volatile int cells[4];
#define STORE(cell, value) (cells[cell] = (value))
#endif

#define BODY(index)                           \
  static void* body##index(void* argument) {  \
    for (int i = 0; i < LENGTH##index; ++i) { \
      STORE(index, i);                        \
    }                                         \
    return argument;                          \
  }
BODY(0)
BODY(1)
BODY(2)
BODY(3)

// Not instrumented: its reads of the handles would be scheduling points too.
__attribute__((no_sanitize("thread"))) int main(void) {
  pthread_t t0 = 0;
  pthread_t t1 = 0;
  pthread_t t2 = 0;
  pthread_t t3 = 0;
  pthread_create(&t0, NULL, body0, NULL);
  pthread_create(&t1, NULL, body1, NULL);
  if (THREADS > 2) {
    pthread_create(&t2, NULL, body2, NULL);
  }
  if (THREADS > 3) {
    pthread_create(&t3, NULL, body3, NULL);
  }
  pthread_join(t0, NULL);
  pthread_join(t1, NULL);
  if (THREADS > 2) {
    pthread_join(t2, NULL);
  }
  if (THREADS > 3) {
    pthread_join(t3, NULL);
  }
  return 0;
}
