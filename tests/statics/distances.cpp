// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Ravel authors
// A helper that two functions call, and a virtual call of which one target leads to the failure.
// expect: RW 1 or fewer MM 0 WM 0 WN 0 classes 1
#include <cstdlib>
#include <memory>
#include <thread>
int steps(int n) {
  if (n > 100) return n;
  return n + 1;
}
struct Base {
  virtual ~Base() = default;
  virtual int act(int n) { return n; }
};
struct Failing : Base {
  int act(int n) override {
    if (n == 7) std::abort();
    return n;
  }
};
int main(int argc, char**) {
  std::unique_ptr<Base> one = argc > 1 ? std::make_unique<Failing>() : std::make_unique<Base>();
  std::thread worker([&one, argc] {
    const int n = steps(argc);
    one->act(n);
  });
  worker.join();
  return steps(argc) > 200;
}
