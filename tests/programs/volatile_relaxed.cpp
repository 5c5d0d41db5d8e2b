// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Ravel authors
//
// With --volatile relaxed the flag itself is no race, but it publishes nothing.
//
// expect: kind=data-race lines=written,read
// options: --volatile relaxed
#include <thread>

static volatile bool ready = false;
static int value = 0;

int main() {
  int seen = 0;
  std::thread publisher([] {
    value = 42;  // here: written
    ready = true;
  });
  if (ready) seen = value;  // here: read
  publisher.join();
  return seen == 0 || seen == 42 ? 0 : 1;
}
