// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Ravel authors
//
// A time-out that is taken for synchronisation: by then the other thread will have written.
#include <poll.h>

#include <cassert>
#include <chrono>
#include <condition_variable>
#include <mutex>
#include <thread>

int value;

int main() {
  std::mutex lock;
  std::condition_variable never;
  std::thread writer([&] {
    poll(nullptr, 0, 50);  // no sleep: it is not shortened
    const std::lock_guard hold(lock);
    value = 1;
  });
  {
    std::unique_lock hold(lock);
    never.wait_for(hold, std::chrono::milliseconds(400));
    assert(value == 1);
  }
  writer.join();
}
