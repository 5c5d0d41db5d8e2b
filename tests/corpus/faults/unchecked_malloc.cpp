// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Ravel authors
//
// malloc gives a null pointer, and the program writes through it.
//
// expect: kind=signal lines=written message=null preemptions=0
// options: --faults alloc
// injected: allocation failed
#include <pthread.h>

#include <atomic>
#include <cstdlib>

namespace {

std::atomic<int> sum{0};
std::atomic<int*> latest{nullptr};  // else a compiler may do without the allocation

void* work(void*) {
  auto* number = static_cast<int*>(std::malloc(sizeof(int)));
#ifdef FIXED
  if (number == nullptr) return nullptr;
#endif
  latest = number;
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
