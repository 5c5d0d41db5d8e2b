// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Ravel authors
//
// exit from a thread while main waits: handlers run and the status is the program's.
//
// expect: kind=exit-code threads=T1 message=3
// clean-with: --expect-exit 3
#include <atomic>
#include <cassert>
#include <cstdlib>
#include <thread>

namespace {

std::atomic<int> handlers{0};

void second_handler() {
  assert(handlers == 1);
}
void first_handler() {
  ++handlers;
}

}  // namespace

int main() {
  assert(std::atexit(second_handler) == 0);
  assert(std::atexit(first_handler) == 0);
  std::atomic<bool> hold{true};
  std::thread waiter([] { std::exit(3); });
  std::thread idle([&hold] { hold.wait(true); });
  waiter.join();
  idle.join();
  return 0;
}
