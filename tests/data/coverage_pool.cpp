// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Ravel authors
//
// A pool of two threads with jobs of two kinds. Which thread does which job depends on the schedule; what a job is does
// not.
#include <ravel/ravel.h>

#include <mutex>
#include <thread>

namespace {

std::mutex lock;
int next = 0;
int total = 0;

}  // namespace

[[gnu::noinline]] void add() {
  const std::lock_guard<std::mutex> hold(lock);
  ++total;
}
[[gnu::noinline]] void subtract() {
  const std::lock_guard<std::mutex> hold(lock);
  --total;
}
[[gnu::noinline]] void mark_add() {
  add();
}
[[gnu::noinline]] void mark_subtract() {
  subtract();
}
[[gnu::noinline]] void run_job(int number) {
  if (number % 2 == 0) {
    mark_add();
  } else {
    mark_subtract();
  }
}

void work() {
  for (;;) {
    int mine = 0;
    {
      const std::lock_guard<std::mutex> hold(lock);
      if (next == 4) return;
      mine = next++;
    }
#ifdef JOBS
    ravel::job();
#endif
    run_job(mine);
  }
}

int main() {
  std::thread one(work);
  std::thread two(work);
  one.join();
  two.join();
}
