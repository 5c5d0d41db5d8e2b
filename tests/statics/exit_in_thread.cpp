// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Ravel authors
// A thread ends the program: it runs what atexit was given, and destructors of global variables, while main goes on.
// expect: RW 2 or more
#include <cstdlib>
#include <thread>
int value = 0, destroyed = 0;
struct Global {
  ~Global() { destroyed = 2; }
};
Global global;
void last() {
  value = 2;
}
int main() {
  std::atexit(last);
  std::thread t1([] { std::exit(0); });
  value = 1;
  destroyed = 1;
  t1.join();
}
