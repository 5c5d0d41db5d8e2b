// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Ravel authors
//
// atomic::wait and notify on words of several sizes and on atomic_flag.
//
// expect: clean
// options: --strategy random
// operations: futex-wait,futex-wake,load,store
#include <atomic>
#include <cassert>
#include <cstdint>
#include <thread>

namespace {

std::atomic<int> steps{0};

template <typename T>
void hand_over() {
  std::atomic<T> word{0};
  int payload = 0;
  std::thread waiter([&] {
    word.wait(0);
    assert(word.load() == 1);
    assert(payload == 5);
  });
  for (int i = 0; i < 12; ++i) {
    steps.fetch_add(1);  // gives the waiter time to end its spinning and to block
  }
  payload = 5;
  word.store(1);
  word.notify_one();
  waiter.join();
}

void flag() {
  std::atomic_flag flag = ATOMIC_FLAG_INIT;
  std::thread first([&] { flag.wait(false); });
  std::thread second([&] { flag.wait(false); });
  flag.test_and_set();
  flag.notify_all();
  first.join();
  second.join();
}

}  // namespace

int main() {
  hand_over<int>();
  hand_over<std::int64_t>();
  hand_over<std::uint8_t>();
  flag();
  return 0;
}
