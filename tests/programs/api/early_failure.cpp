// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Ravel authors
//
// What goes wrong around explore(): before it (no argument), at it (one), after it (two).
#include <ravel/ravel.h>

#include <cassert>
#include <stdexcept>
#include <thread>

int main(int argc, char**) {
  assert(argc > 1);
  const auto body = [] { std::thread([] {}).join(); };
  if (argc == 2) {
    bool stop = false;
    std::thread beside([&stop] {
      while (!__atomic_load_n(&stop, __ATOMIC_ACQUIRE)) std::this_thread::yield();
    });
    bool refused = false;
    try {
      ravel::explore(body);
    } catch (const std::runtime_error&) {
      refused = true;
    }
    __atomic_store_n(&stop, true, __ATOMIC_RELEASE);
    beside.join();
    return refused ? 0 : 7;
  }
  ravel::explore(body);
  return 5;
}
