// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Ravel authors
//
// Plain data published under a mutex, a shared mutex, a recursive and a timed one, and by a lock that one thread took
// to hand over.
//
// expect: clean
#include <cassert>
#include <chrono>
#include <mutex>
#include <shared_mutex>
#include <thread>

namespace {

template <class Lock>
void publish() {
  Lock lock;
  bool ready = false;
  int data = 0;
  std::thread writer([&] {
    data = 42;
    const std::lock_guard<Lock> guard(lock);
    ready = true;
  });
  bool seen = false;
  {
    const std::lock_guard<Lock> guard(lock);
    seen = ready;
  }
  if (seen) assert(data == 42);
  writer.join();
  assert(data == 42);
}

void publish_to_readers() {
  std::shared_timed_mutex lock;
  bool ready = false;
  int data = 0;
  const auto read = [&] {
    bool seen = false;
    {
      const std::shared_lock<std::shared_timed_mutex> guard(lock);
      seen = ready;
    }
    if (seen) assert(data == 42);
  };
  std::thread first(read);
  std::thread second(read);
  data = 42;
  {
    const std::lock_guard<std::shared_timed_mutex> guard(lock);
    ready = true;
  }
  first.join();
  second.join();
}

}  // namespace

int main() {
  publish<std::mutex>();
  publish<std::recursive_mutex>();
  publish<std::timed_mutex>();
  publish<std::shared_mutex>();
  publish_to_readers();
  return 0;
}
