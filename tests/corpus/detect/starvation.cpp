// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Ravel authors
//
// A thread takes a lock again and again until another one has had it; whether that one ever gets it is luck.
//
// expect: kind=step-limit threads=T1 also=starvation
// cause: starvation
// options: --max-steps 3000 --strategy run-on
#include <atomic>
#include <mutex>
#include <thread>

std::mutex mutex;
std::atomic<bool> was_there{false};

void hurry() {
  for (bool more = true; more;) {
    std::lock_guard<std::mutex> guard(mutex);
#ifdef FIXED
    more = false;
#else
    more = !was_there.load();
#endif
  }
}

void come() {
  std::lock_guard<std::mutex> guard(mutex);
  was_there.store(true);
}

int main() {
  std::thread one(hurry);
  std::thread two(come);
  one.join();
  two.join();
  return 0;
}
