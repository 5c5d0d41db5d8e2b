// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Ravel authors
// The same on the heap, reached through captured pointers.
// expect: RW 5 MM 2 WM 0 WN 0 classes 2
#include <cassert>
#include <memory>
#include <mutex>
#include <thread>
struct Account {
  std::mutex lock;
  int value = 0;
};
int main() {
  auto x = std::make_unique<Account>();
  auto y = std::make_unique<Account>();
  Account* px = x.get();
  Account* py = y.get();
  std::thread t1([px, py] {
    {
      std::lock_guard<std::mutex> guard(px->lock);
      px->value += 10;
    }
    std::lock_guard<std::mutex> guard(py->lock);
    py->value += 10;
  });
  std::thread t2([px, py] {
    {
      std::lock_guard<std::mutex> guard(py->lock);
      px->value -= 10;
      if (py->value < 0) px->value = 0;
    }
    std::lock_guard<std::mutex> guard(py->lock);
    py->value -= 10;
  });
  t1.join();
  t2.join();
  assert(x->value == y->value);
}
