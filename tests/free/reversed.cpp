// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Ravel authors
//
// The second thread writes long before main reads: the order that noise has to turn round.
#include <unistd.h>

#include <cassert>
#include <thread>

int value = 0;

int main() {
  std::thread other([] {
    value = 1;  // here: first
  });
  usleep(100'000);
  const int seen = value;
  assert(seen == 1);  // here: seen
  other.join();
}
