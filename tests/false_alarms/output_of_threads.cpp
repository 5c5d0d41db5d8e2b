// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Ravel authors
//
// Threads that write to the same streams: cout, stdio and osyncstream are synchronised.
//
// expect: clean
#include <cstdio>
#include <iostream>
#include <sstream>
#include <syncstream>
#include <thread>

namespace {

void say(int who) {
  std::cout << "thread " << who << '\n';
  std::osyncstream(std::cout) << "again " << who << '\n';
  std::printf("and %d\n", who);
  std::ostringstream own;
  own << who << std::hex << 255;
}

}  // namespace

int main() {
  std::thread first(say, 1);
  std::thread second(say, 2);
  say(0);
  first.join();
  second.join();
  std::cout.flush();
  return 0;
}
