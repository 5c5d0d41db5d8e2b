// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Ravel authors
//
// A worker uses what main sets only after it has started the worker.
//
// expect: kind=order-violation threads=T0 lines=use,set preemptions=1 message=before
// options: --detect use-before-set
#include <mutex>
#include <thread>

int limit = 0;
int used = 0;
std::mutex mutex;

void work() {
  std::lock_guard<std::mutex> guard(mutex);
  used = limit;  // here: use
}

int main() {
#ifdef FIXED
  limit = 10;
  std::thread worker(work);
#else
  std::thread worker(work);
  {
    std::lock_guard<std::mutex> guard(mutex);
    limit = 10;  // here: set
  }
#endif
  std::thread other(work);
  worker.join();
  other.join();
  return 0;
}
