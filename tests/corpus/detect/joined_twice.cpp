// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Ravel authors
//
// Whoever comes last joins the worker, they think; with two of them it is joined twice.
//
// expect: kind=misuse threads=T0|T2 lines=join message=join.of.a.thread
#include <pthread.h>

#include <atomic>
#include <thread>

pthread_t worker;
std::atomic<bool> was_joined{false};

void* work(void*) {
  return nullptr;
}

void finish() {
#ifdef FIXED
  if (was_joined.exchange(true)) return;
#else
  if (was_joined.load()) return;
  was_joined.store(true);
#endif
  pthread_join(worker, nullptr);  // here: join
}

int main() {
  pthread_create(&worker, nullptr, work, nullptr);
  std::thread other(finish);
  finish();
  other.join();
  return 0;
}
