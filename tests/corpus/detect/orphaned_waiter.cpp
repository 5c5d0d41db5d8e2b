// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Ravel authors
//
// The thread that should signal ends by an exception before it does: the other one waits for ever.
//
// expect: kind=deadlock threads=T1 lines=wait preemptions=0
// cause: blocked-thread
// cause-text: threw std::runtime_error (
#include <condition_variable>
#include <mutex>
#include <stdexcept>
#include <thread>

std::mutex mutex;
std::condition_variable done;
bool is_done = false;
int jobs = 0;

void wait_for_it() {
  std::unique_lock<std::mutex> lock(mutex);
  ++jobs;
  while (!is_done) done.wait(lock);  // here: wait
}

void finish() {
  std::lock_guard<std::mutex> lock(mutex);
  is_done = true;
  done.notify_all();
}

void work() {
  try {
    {
      std::lock_guard<std::mutex> lock(mutex);
      if (jobs == 0) throw std::runtime_error("no job yet");
    }
    finish();
  } catch (const std::runtime_error&) {
#ifdef FIXED
    finish();
#endif
  }
}

int main() {
  std::thread waiter(wait_for_it);
  std::thread worker(work);
  waiter.join();
  worker.join();
  return 0;
}
