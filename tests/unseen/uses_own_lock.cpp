// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Ravel authors
//
// Two threads add to a number. With FORGOTTEN one of them does so without the library's lock.
#include <thread>

#include "own_lock.h"

namespace {

int number = 0;

void add() {
  own_lock();
  ++number;
  own_unlock();
}

void forget() {
#ifdef FORGOTTEN
  ++number;
#else
  add();
#endif
}

}  // namespace

int main() {
  std::thread other(forget);
  add();
  other.join();
  return number <= 2 ? 0 : 1;
}
