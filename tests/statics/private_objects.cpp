// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Ravel authors
// Objects of one allocation site that no other thread reaches.
// expect: RW 0 MM 0 WM 0 WN 0 classes 2
// expect without escape: RW 1 or more
#include <memory>
#include <thread>
struct O {
  int value = 0;
};
void g(O* o) {
  o->value += 1;
}
void f() {
  auto o = std::make_unique<O>();
  g(o.get());
}
int main() {
  std::thread t1(f);
  std::thread t2(f);
  t1.join();
  t2.join();
}
