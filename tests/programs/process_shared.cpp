// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Ravel authors
//
// Objects meant for several processes, used by threads of one: they work, and the tool says that other processes are
// not seen.
//
// expect: clean
// note: a process-shared object was made
// operations: lock,unlock,wait,rdlock,wrlock,sem-wait,sem-post,arrive
#include <pthread.h>
#include <semaphore.h>
#include <sys/mman.h>

#include <cassert>
#include <cstddef>
#include <new>
#include <thread>

struct Shared {
  pthread_mutex_t mutex;
  pthread_cond_t changed;
  pthread_rwlock_t table_lock;
  pthread_barrier_t round;
  sem_t tokens;
  int turns;
  int table;
};

static void make(Shared& shared) {
  pthread_mutexattr_t mutex;
  pthread_mutexattr_init(&mutex);
  assert(pthread_mutexattr_setpshared(&mutex, PTHREAD_PROCESS_SHARED) == 0);
  assert(pthread_mutex_init(&shared.mutex, &mutex) == 0);
  pthread_condattr_t condition;
  pthread_condattr_init(&condition);
  assert(pthread_condattr_setpshared(&condition, PTHREAD_PROCESS_SHARED) == 0);
  assert(pthread_cond_init(&shared.changed, &condition) == 0);
  pthread_rwlockattr_t lock;
  pthread_rwlockattr_init(&lock);
  assert(pthread_rwlockattr_setpshared(&lock, PTHREAD_PROCESS_SHARED) == 0);
  assert(pthread_rwlock_init(&shared.table_lock, &lock) == 0);
  pthread_barrierattr_t barrier;
  pthread_barrierattr_init(&barrier);
  assert(pthread_barrierattr_setpshared(&barrier, PTHREAD_PROCESS_SHARED) == 0);
  assert(pthread_barrier_init(&shared.round, &barrier, 2) == 0);
  assert(sem_init(&shared.tokens, 1, 1) == 0);
}

static void take_turn(Shared& shared, int mine) {
  pthread_barrier_wait(&shared.round);
  pthread_mutex_lock(&shared.mutex);
  while (shared.turns != mine) pthread_cond_wait(&shared.changed, &shared.mutex);
  ++shared.turns;
  pthread_cond_broadcast(&shared.changed);
  pthread_mutex_unlock(&shared.mutex);
  sem_wait(&shared.tokens);
  pthread_rwlock_wrlock(&shared.table_lock);
  ++shared.table;
  pthread_rwlock_unlock(&shared.table_lock);
  sem_post(&shared.tokens);
  pthread_rwlock_rdlock(&shared.table_lock);
  assert(shared.table == 1 || shared.table == 2);
  pthread_rwlock_unlock(&shared.table_lock);
}

int main() {
  void* memory = mmap(nullptr, sizeof(Shared), PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
  assert(memory != MAP_FAILED);
  auto& shared = *new (memory) Shared();
  make(shared);
  std::thread first([&] { take_turn(shared, 0); });
  std::thread second([&] { take_turn(shared, 1); });
  first.join();
  second.join();
  assert(shared.turns == 2 && shared.table == 2);
  return 0;
}
