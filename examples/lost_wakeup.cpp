// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Ravel authors
//
// A signal that comes before anybody waits is lost. -DFIXED: the waiter asks before it waits.
#include <condition_variable>
#include <mutex>
#include <thread>

std::mutex mutex;
std::condition_variable ready;
bool done = false;

int main() {
  std::thread waiter([] {
    std::unique_lock lock(mutex);
#ifdef FIXED
    while (!done) ready.wait(lock);
#else
    ready.wait(lock);
#endif
  });
  std::thread notifier([] {
    const std::lock_guard lock(mutex);
    done = true;
    ready.notify_one();
  });
  waiter.join();
  notifier.join();
}
