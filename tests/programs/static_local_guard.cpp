// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Ravel authors
//
// Function-local statics: initialised once, also when the first attempt throws.
//
// expect: clean
// operations: once-begin,once-end,once-abort
#include <atomic>
#include <cassert>
#include <stdexcept>
#include <thread>

namespace {

std::atomic<int> attempts{0};
std::atomic<int> built{0};

struct Fragile {
  Fragile() {
    if (attempts.fetch_add(1) == 0) {
      throw std::runtime_error("first attempt");
    }
    std::this_thread::yield();
    value = 7;
    ++built;
  }
  int value = 0;
};

int use() {
  for (;;) {
    try {
      static Fragile fragile;
      return fragile.value;
    } catch (const std::runtime_error&) {
    }
  }
}

}  // namespace

int main() {
  std::thread first([] { assert(use() == 7); });
  std::thread second([] { assert(use() == 7); });
  assert(use() == 7);
  first.join();
  second.join();
  assert(attempts == 2);
  assert(built == 1);
  return 0;
}
