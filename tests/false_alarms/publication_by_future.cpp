// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Ravel authors
//
// Plain data published by promises, tasks, std::async in both kinds, shared futures and exceptions.
//
// expect: clean
#include <cassert>
#include <future>
#include <stdexcept>
#include <thread>

int main() {
  int data = 0;
  std::promise<void> done;
  std::future<void> wait = done.get_future();
  std::thread writer([&] {
    data = 1;
    done.set_value();
  });
  wait.get();
  assert(data == 1);
  writer.join();

  std::packaged_task<int()> task([&] { return data + 1; });
  std::shared_future<int> result = task.get_future().share();
  std::thread runner(std::move(task));
  std::thread reader([result] { assert(result.get() == 2); });
  assert(result.get() == 2);
  runner.join();
  reader.join();

  std::future<int> parallel = std::async(std::launch::async, [&] { return ++data; });
  std::future<int> deferred = std::async(std::launch::deferred, [&] { return 5; });
  assert(parallel.get() + deferred.get() == 7);
  assert(data == 2);

  std::future<int> failing = std::async(std::launch::async, []() -> int { throw std::runtime_error("no"); });
  try {
    failing.get();
    assert(false);
  } catch (const std::runtime_error&) {
  }
  return 0;
}
