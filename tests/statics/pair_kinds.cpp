// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Ravel authors
// One pair of each kind.
// expect: RW 1 MM 1 WM 1 WN 1 classes 2
#include <condition_variable>
#include <mutex>
#include <thread>
std::mutex m;
std::condition_variable ready;
int value = 0;
int main() {
  std::thread t1([] {
    value = 1;
    std::unique_lock<std::mutex> lock(m);
    ready.wait(lock);
  });
  std::thread t2([] {
    int read = value;
    std::lock_guard<std::mutex> lock(m);
    ready.notify_all();
    (void)read;
  });
  t1.join();
  t2.join();
}
