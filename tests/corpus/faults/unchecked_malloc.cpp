// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Ravel authors
//
// malloc gives a null pointer, and the program writes through it.
// expect: kind=signal lines=written message=null
// options: --faults alloc
// injected: allocation failed
#include <pthread.h>

#include <atomic>
#include <cstdlib>

namespace {

std::atomic<int> sum{0};

void* work(void*) {
  auto* number = static_cast<int*>(std::malloc(sizeof(int)));
#ifdef FIXED
  if (number == nullptr) return nullptr;
#endif
  *number = 1;  // here: written
  sum += *number;
  std::free(number);
  return nullptr;
}

}  // namespace

int main() {
  pthread_t workers[2];
  for (pthread_t& worker : workers) pthread_create(&worker, nullptr, work, nullptr);
  for (const pthread_t worker : workers) pthread_join(worker, nullptr);
}
