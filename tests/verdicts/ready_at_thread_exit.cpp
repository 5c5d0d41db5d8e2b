// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Ravel authors
//
// A promise whose value appears when its thread ends: the C++ library makes it ready by itself, unseen, so that no
// search says that it has seen everything.
//
// expect: clean
// outcomes: ready=0 | ready=1
// incomplete: dfs dpor
#include <ravel/ravel.h>

#include <chrono>
#include <future>
#include <thread>

int main() {
  std::promise<int> promise;
  std::future<int> future = promise.get_future();
  std::thread worker([&promise] { promise.set_value_at_thread_exit(3); });
  const bool ready = future.wait_for(std::chrono::seconds(0)) == std::future_status::ready;
  worker.join();
  ravel::observe("ready", ready ? 1 : 0);
  return future.get() == 3 ? 0 : 1;
}
