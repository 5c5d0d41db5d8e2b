// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Ravel authors
//
// A thread that never ends: it takes a mutex again and again until the other one has said that it may stop, which that
// one forgets. With READS it reads a flag instead.
#include <atomic>
#include <mutex>
#include <thread>

std::mutex mutex;
bool stop = false;
std::atomic<bool> flag{false};

static bool may_stop() {
#ifdef READS
  return flag.load();
#else
  const std::lock_guard inside(mutex);
  return stop;
#endif
}

int main() {
  std::thread waits([] {
    while (!may_stop()) {
    }
  });
  std::thread forgets([] {
    const std::lock_guard inside(mutex);
    flag.store(stop);
  });
  waits.join();
  forgets.join();
}
