// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Ravel authors
// Code that only libraries call: call_once, qsort, destructors of thread-specific data.
// expect: RW 6 or more classes 2
#include <pthread.h>

#include <cstdlib>
#include <mutex>
#include <thread>
std::once_flag once;
pthread_key_t key;
int first = 0, second = 0, third = 0;
int numbers[3] = {3, 1, 2};
int compare(const void* a, const void* b) {
  ++second;
  return *static_cast<const int*>(a) - *static_cast<const int*>(b);
}
void end(void*) {
  ++third;
}
int main() {
  pthread_key_create(&key, end);
  std::thread t1([] {
    std::call_once(once, [] { ++first; });
    std::qsort(numbers, 3, sizeof(int), compare);
    pthread_setspecific(key, numbers);
  });
  std::thread t2([] {
    ++first;
    ++second;
    ++third;
  });
  t1.join();
  t2.join();
}
