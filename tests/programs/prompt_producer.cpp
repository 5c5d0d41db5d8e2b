// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Ravel authors
//
// A generous time-out with a prompt producer: ready under fair time-outs, not always under adversarial ones.
//
// expect: clean
// operations: create,join
// options-found: --timeouts adversarial
// found: kind=assertion threads=T0 lines=check
#include <cassert>
#include <chrono>
#include <future>
#include <thread>

int main() {
  std::promise<int> promise;
  std::future<int> future = promise.get_future();
  std::thread producer([&promise] { promise.set_value(7); });
  const std::future_status status = future.wait_for(std::chrono::seconds(10));
  assert(status == std::future_status::ready);  // here: check
  producer.join();
  return 0;
}
