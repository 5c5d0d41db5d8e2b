// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Ravel authors
//
// The predicate is looked at once: a wait that ends without a signal goes on without it.
//
// expect: kind=lost-signal threads=T1 lines=wait preemptions=1
// options: --detect unchecked-wait --strategy random
#include <condition_variable>
#include <mutex>
#include <thread>

std::mutex mutex;
std::condition_variable ready;
bool is_ready = false;
int result = 0;

void consume() {
  std::unique_lock<std::mutex> lock(mutex);
#ifdef FIXED
  while (!is_ready) {
#else
  if (!is_ready) {
#endif
    ready.wait(lock);  // here: wait
  }
  result = result + 1;
}

int main() {
  std::thread consumer(consume);
  {
    std::lock_guard<std::mutex> guard(mutex);
    is_ready = true;
    ready.notify_one();
  }
  consumer.join();
  return 0;
}
