// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Ravel authors
// Only one of the two overrides writes.
// expect: RW 1 MM 0 WM 0 WN 0 classes 2
#include <thread>
int value = 0;
struct Base {
  virtual ~Base() = default;
  virtual int f() = 0;
};
struct A : Base {
  int f() override { return value = 1; }
};
struct B : Base {
  int f() override { return 0; }
};
A a;
B b;
int main(int count, char**) {
  Base* base = count > 1 ? static_cast<Base*>(&a) : &b;
  std::thread t1([base] { base->f(); });
  int read = 0;
  std::thread t2([&read] { read = value; });
  t1.join();
  t2.join();
}
