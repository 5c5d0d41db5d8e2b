// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Ravel authors
//
// A sleep taken for a synchronisation: long enough on any machine, until timeoutTamper shortens it.
#include <poll.h>

#include <cassert>
#include <chrono>
#include <thread>

int value = 0;

int main() {
  std::thread writer([] {
    poll(nullptr, 0, 50);  // no sleep: it is not shortened
    value = 1;
  });
  std::this_thread::sleep_for(std::chrono::milliseconds(400));
  const int seen = value;
  writer.join();
  assert(seen == 1);
}
