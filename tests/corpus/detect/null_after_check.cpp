// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Ravel authors
//
// A pointer is checked, then used; another thread writes null in between. The crash is told with its cause.
//
// expect: kind=signal lines=use preemptions=1
// cause: order-violation
// options: --detect default
#include <mutex>
#include <thread>

struct Plan {
  int steps = 3;
};

Plan stored;
Plan* current = &stored;
int done = 0;
std::mutex mutex;

Plan* get() {
  std::lock_guard<std::mutex> guard(mutex);
  return current;
}

int main() {
  std::thread worker([] {
#ifdef FIXED
    std::lock_guard<std::mutex> guard(mutex);
    if (current != nullptr) done = current->steps;
#else
    if (get() != nullptr) {
      done = get()->steps;  // here: use
    }
#endif
  });
  std::thread closer([] {
    std::lock_guard<std::mutex> guard(mutex);
    current = nullptr;
  });
  worker.join();
  closer.join();
  return 0;
}
