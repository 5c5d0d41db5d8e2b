// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Ravel authors
//
// The only execution that is run goes well: the wait comes first. That the signal is lost otherwise is predicted and
// then driven into.
//
// expect: kind=deadlock threads=T1 lines=wait
// cause: lost-signal
// options: --strategy run-on --iterations 1 --detect predicted-signal
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

void produce() {
  {
    std::lock_guard<std::mutex> guard(mutex);
    is_ready = true;
  }
  ready.notify_one();
}

int main() {
  std::thread consumer(consume);
  std::thread producer(produce);
  consumer.join();
  producer.join();
  return 0;
}
