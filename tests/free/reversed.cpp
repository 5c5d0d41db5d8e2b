// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Ravel authors
//
// reversed MS: the second thread writes that long before main reads: the order that noise has to turn round.
#include <unistd.h>

#include <cassert>
#include <string>
#include <thread>

int value = 0;

int main(int, char** argv) {
  std::thread other([] {
    value = 1;  // here: first
  });
  usleep(std::stoi(argv[1]) * 1000);
  const int seen = value;
  assert(seen == 1);  // here: seen
  other.join();
}
