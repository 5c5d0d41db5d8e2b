// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Ravel authors
//
// Linked with an OpenMP library: its threads could not be controlled, and the output says so.
//
// expect: clean
// flags: -Wl,--no-as-needed -lgomp
// note: linked with an OpenMP library
// operations: rmw
#include <atomic>
#include <thread>

static std::atomic<int> counter{0};

int main() {
  std::thread first([] { ++counter; });
  std::thread second([] { ++counter; });
  first.join();
  second.join();
  return counter == 2 ? 0 : 1;
}
