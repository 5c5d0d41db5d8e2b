// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Ravel authors
// Calls that do less, or more often, than they seem to: a lock taken through a pointer to one of two functions, a lock
// that is given back before a jump to where it was held, threads that a callback creates each time it is called.
// expect: RW 9 or more
#include <pthread.h>
#include <setjmp.h>

#include <cstdlib>
#include <mutex>
#include <thread>
#include <vector>
using Step = int (*)(pthread_mutex_t*);
pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
std::mutex mutex;
int maybe = 0, again = 0, given_back = 0, sorted = 0;
std::vector<std::thread*> started;
int nothing(pthread_mutex_t*) {
  return 0;
}
Step take[2] = {nothing, pthread_mutex_lock};
Step give[2] = {nothing, pthread_mutex_unlock};
int compare(const void* a, const void* b) {
  auto* const made = new std::thread([] { sorted += 1; });
  started.push_back(made);
  return *static_cast<const int*>(a) - *static_cast<const int*>(b);
}
int main(int count, char**) {
  std::thread t1([count] {
    take[count - 1](&lock);
    maybe += 1;
    give[count - 1](&lock);
    jmp_buf before;
    mutex.lock();
    if (setjmp(before) == 0) {
      mutex.unlock();
      longjmp(before, 1);
    }
    again += 1;
    mutex.lock();
    mutex.unlock();
    given_back += 1;
  });
  std::thread t2([] {
    pthread_mutex_lock(&lock);
    maybe += 2;
    pthread_mutex_unlock(&lock);
    std::lock_guard<std::mutex> guard(mutex);
    again += 2;
    given_back += 2;
  });
  int numbers[3] = {3, 1, 2};
  std::qsort(numbers, 3, sizeof(int), compare);
  for (std::thread* one : started) one->join();
  t1.join();
  t2.join();
}
