// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Ravel authors
//
// A value is published by a volatile flag, as before there was std::atomic. To C++ that is a race; where the compiler
// and the processor are known to keep the order, --volatile acq-rel is.
//
// expect: kind=data-race lines=published,looked
// clean-with: --volatile acq-rel --verify
// output: --volatile acq-rel
#include <cassert>
#include <thread>

static volatile bool ready = false;
static volatile long wide = 0;
static int value = 0;

int main() {
  std::thread publisher([] {
    value = 42;
    ready = true;  // here: published
    for (int i = 1; i <= 3; ++i) wide = i;
  });
  while (!ready) {  // here: looked
  }
  assert(value == 42);
  while (wide != 3) {
  }
  publisher.join();
}
