// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Ravel authors
//
// Reader-writer lock upgrade: a reader that finds stale data asks for the write lock while it still holds the read
// lock.
//
// expect: kind=deadlock threads=T2 lines=upgrade preemptions=0
// operations: rdlock,wrlock,rwunlock
#include <pthread.h>

#include <thread>

namespace {

pthread_rwlock_t table_lock = PTHREAD_RWLOCK_INITIALIZER;
bool stale = false;
int generation = 1;

void rebuild() {
  pthread_rwlock_wrlock(&table_lock);  // here: upgrade
  if (stale) {
    ++generation;
    stale = false;
  }
  pthread_rwlock_unlock(&table_lock);
}

void invalidate() {
  pthread_rwlock_wrlock(&table_lock);
  stale = true;
  pthread_rwlock_unlock(&table_lock);
}

int look_up() {
  pthread_rwlock_rdlock(&table_lock);
#ifdef FIXED
  const bool needs_rebuild = stale;
  pthread_rwlock_unlock(&table_lock);
  if (needs_rebuild) {
    rebuild();
  }
  pthread_rwlock_rdlock(&table_lock);
#else
  if (stale) {
    rebuild();
  }
#endif
  const int result = generation;
  pthread_rwlock_unlock(&table_lock);
  return result;
}

}  // namespace

int main() {
  std::thread invalidator(invalidate);
  std::thread reader([] { look_up(); });
  invalidator.join();
  reader.join();
  return 0;
}
