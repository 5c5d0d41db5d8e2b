// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Ravel authors
//
// Lost signal: the flag is set and signalled without the lock, between the look of the waiting thread and its wait.
//
// expect: kind=deadlock threads=T1 lines=wait preemptions=2 also=lost-signal
// cause: lost-signal
// options: --detect default,lost-signal
#include <atomic>
#include <condition_variable>
#include <mutex>
#include <thread>

std::mutex mutex;
std::condition_variable opened;
std::atomic<bool> is_open{false};

void pass() {
  std::unique_lock<std::mutex> lock(mutex);
  while (!is_open.load()) {
    opened.wait(lock);  // here: wait
  }
}

void open() {
#ifdef FIXED
  std::lock_guard<std::mutex> guard(mutex);
#endif
  is_open.store(true);
  opened.notify_one();
}

int main() {
  std::thread visitor(pass);
  open();
  visitor.join();
  return 0;
}
