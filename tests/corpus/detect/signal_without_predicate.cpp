// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Ravel authors
//
// Lost signal: the wait looks at nothing, so a signal that comes first is gone.
//
// expect: kind=deadlock threads=T1 lines=wait preemptions=0
// cause: lost-signal
// options: --strategy random
#include <condition_variable>
#include <mutex>
#include <thread>

std::mutex mutex;
std::condition_variable ready;
bool is_ready = false;

void consume() {
  std::unique_lock<std::mutex> lock(mutex);
#ifdef FIXED
  while (!is_ready)
#endif
    ready.wait(lock);  // here: wait
}

int main() {
  std::thread consumer(consume);
  {
    std::lock_guard<std::mutex> guard(mutex);
    is_ready = true;
  }
  ready.notify_one();
  consumer.join();
  return 0;
}
