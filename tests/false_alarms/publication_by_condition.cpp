// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Ravel authors
//
// Plain data published by condition variables: with a predicate, with condition_variable_any, with notification after
// the unlock, and at thread exit.
//
// expect: clean
#include <cassert>
#include <condition_variable>
#include <mutex>
#include <shared_mutex>
#include <thread>

namespace {

void after_unlock() {
  std::mutex mutex;
  std::condition_variable changed;
  bool ready = false;
  int data = 0;
  std::thread reader([&] {
    std::unique_lock<std::mutex> guard(mutex);
    changed.wait(guard, [&] { return ready; });
    guard.unlock();
    assert(data == 1);
  });
  data = 1;
  {
    const std::lock_guard<std::mutex> guard(mutex);
    ready = true;
  }
  changed.notify_one();
  reader.join();
}

void for_readers() {
  std::shared_mutex mutex;
  std::condition_variable_any changed;
  bool ready = false;
  const auto read = [&] {
    std::shared_lock<std::shared_mutex> guard(mutex);
    changed.wait(guard, [&] { return ready; });
  };
  std::thread first(read);
  std::thread second(read);
  {
    const std::lock_guard<std::shared_mutex> guard(mutex);
    ready = true;
    changed.notify_all();
  }
  first.join();
  second.join();
}

void at_thread_exit() {
  std::mutex mutex;
  std::condition_variable changed;
  bool ready = false;
  thread_local int last_words = 0;
  std::thread writer([&] {
    std::unique_lock<std::mutex> guard(mutex);
    last_words = 1;
    ready = true;
    std::notify_all_at_thread_exit(changed, std::move(guard));
  });
  {
    std::unique_lock<std::mutex> guard(mutex);
    changed.wait(guard, [&] { return ready; });
  }
  writer.join();
}

}  // namespace

int main() {
  after_unlock();
  for_readers();
  at_thread_exit();
  return 0;
}
