// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Ravel authors
//
// condition_variable_any keeps its own mutex alive: destroyed by the notifier as soon as all waiters have been
// notified.
//
// expect: clean
#include <condition_variable>
#include <mutex>
#include <thread>

int main() {
  std::mutex mutex;
  bool ready = false;
  bool waits = false;
  auto* const changed = new std::condition_variable_any;
  std::thread waiter([&] {
    std::unique_lock<std::mutex> guard(mutex);
    waits = true;
    if (!ready) changed->wait(guard);
  });
  for (bool deleted = false; !deleted; std::this_thread::yield()) {
    const std::lock_guard<std::mutex> guard(mutex);
    if (!waits) continue;
    ready = true;
    changed->notify_all();
    delete changed;
    deleted = true;
  }
  waiter.join();
  return 0;
}
