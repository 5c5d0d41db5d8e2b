// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Ravel authors
//
// Two threads observe the same name, with nothing that orders them: the later value counts.
//
// expect: clean
// outcomes: last=1 mine=1 | last=2 mine=1
#include <pthread.h>
#include <ravel/ravel.h>

static void* worker(void* number) {
  const long value = reinterpret_cast<long>(number);
  ravel::observe("last", value);
  if (value == 1) ravel::observe("mine", value);
  return nullptr;
}

int main() {
  pthread_t threads[2];
  for (long i = 0; i < 2; ++i) pthread_create(&threads[i], nullptr, worker, reinterpret_cast<void*>(i + 1));
  for (pthread_t thread : threads) pthread_join(thread, nullptr);
}
