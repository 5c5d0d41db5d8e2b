// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Ravel authors
//
// future, promise, shared_future, async, packaged_task; exceptions and broken promises through them.
//
// expect: clean
// operations: create,join,rmw
#include <cassert>
#include <chrono>
#include <future>
#include <stdexcept>
#include <thread>
#include <utility>

int main() {
  std::promise<int> promise;
  std::future<int> future = promise.get_future();
  std::thread producer([&promise] { promise.set_value(7); });
  assert(future.get() == 7);
  producer.join();

  std::future<int> task = std::async(std::launch::async, [] { return 8; });
  std::future<int> lazy = std::async(std::launch::deferred, [] { return 9; });
  assert(lazy.wait_for(std::chrono::seconds(1)) == std::future_status::deferred);
  assert(task.get() + lazy.get() == 17);

  std::packaged_task<int(int)> doubled([](int x) { return 2 * x; });
  std::shared_future<int> shared = doubled.get_future().share();
  std::thread reader([shared] { assert(shared.get() == 42); });
  std::thread runner(std::move(doubled), 21);
  assert(shared.get() == 42);
  reader.join();
  runner.join();

  std::future<void> failing = std::async(std::launch::async, [] { throw std::runtime_error("task failed"); });
  bool caught = false;
  try {
    failing.get();
  } catch (const std::runtime_error&) {
    caught = true;
  }
  assert(caught);

  std::future<int> orphan;
  {
    std::promise<int> dropped;
    orphan = dropped.get_future();
  }
  caught = false;
  try {
    orphan.get();
  } catch (const std::future_error& error) {
    caught = error.code() == std::future_errc::broken_promise;
  }
  assert(caught);
  return 0;
}
