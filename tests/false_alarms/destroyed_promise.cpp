// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Ravel authors
//
// A promise destroyed right after the value was set, a future right after it was read: the shared state goes with the
// last of them.
//
// expect: clean
#include <cassert>
#include <future>
#include <memory>
#include <thread>

int main() {
  for (int i = 0; i < 2; ++i) {
    auto promise = std::make_unique<std::promise<int>>();
    auto future = std::make_unique<std::future<int>>(promise->get_future());
    std::thread setter([promise = std::move(promise)]() mutable {
      promise->set_value(1);
      promise.reset();
    });
    std::thread getter([future = std::move(future)]() mutable {
      assert(future->get() == 1);
      future.reset();
    });
    setter.join();
    getter.join();
  }
  return 0;
}
