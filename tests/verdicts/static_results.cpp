// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Ravel authors
//
// localtime answers in memory that all threads share: the other thread's call is a write under this one's eyes.
//
// expect: kind=data-race threads=T0,T1 lines=mine,other
#include <pthread.h>

#include <ctime>

static void* worker(void*) {
  const std::time_t later = 100'000'000;
  std::localtime(&later);  // here: other
  return nullptr;
}

int main() {
  const std::time_t epoch = 0;
  pthread_t thread;
  pthread_create(&thread, nullptr, worker, nullptr);
  const int year = std::localtime(&epoch)->tm_year;  // here: mine
  pthread_join(thread, nullptr);
  return year > 100 ? 1 : 0;
}
