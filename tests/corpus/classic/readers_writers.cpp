// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Ravel authors
//
// readers_writers: the number of readers is raised outside of the monitor: an update is lost, and a writer comes in
// while somebody reads, or waits for ever.
#include <atomic>
#include <cassert>
#include <condition_variable>
#include <mutex>
#include <thread>

namespace {

std::mutex lock;
std::condition_variable changed;
std::atomic<int> readers{0};
bool writing = false;
std::atomic<int> reading{0};

void look() {
  {
    std::unique_lock hold(lock);
    changed.wait(hold, [] { return !writing; });
#ifdef FIXED
    ++readers;
#endif
  }
#ifndef FIXED
  readers = readers + 1;
#endif
  ++reading;
  --reading;
  std::lock_guard hold(lock);
  --readers;
  changed.notify_all();
}

void change() {
  std::unique_lock hold(lock);
  changed.wait(hold, [] { return !writing && readers <= 0; });
  writing = true;
  hold.unlock();
  assert(reading == 0);
  hold.lock();
  writing = false;
  changed.notify_all();
}

}  // namespace

int main() {
  std::thread first([] { look(); });
  std::thread second([] { look(); });
  change();
  first.join();
  second.join();
}
