// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Ravel authors
// A condition that is checked and changed under the mutex: no notification is lost.
// expect: RW 0 MM 1 WM 1 WN 1 classes 2
// expect warnings: none
#include <condition_variable>
#include <mutex>
#include <thread>
std::mutex m;
std::condition_variable ready;
bool done = false;
int main() {
  std::thread waiter([] {
    std::unique_lock<std::mutex> lock(m);
    while (!done) {
      ready.wait(lock);
    }
  });
  std::thread notifier([] {
    std::lock_guard<std::mutex> lock(m);
    done = true;
    ready.notify_all();
  });
  waiter.join();
  notifier.join();
}
