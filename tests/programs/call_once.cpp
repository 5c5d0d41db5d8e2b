// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Ravel authors
//
// call_once: runs once, and again after an attempt that threw.
//
// expect: clean
// operations: once-begin,once-end,once-abort
#include <atomic>
#include <cassert>
#include <mutex>
#include <stdexcept>
#include <thread>

namespace {

std::once_flag plain;
std::once_flag fragile;
int plain_runs = 0;
std::atomic<int> attempts{0};
int fragile_runs = 0;

void use() {
  std::call_once(plain, [] { ++plain_runs; });
  assert(plain_runs == 1);
  for (;;) {
    try {
      std::call_once(fragile, [] {
        if (attempts.fetch_add(1) == 0) {
          throw std::runtime_error("first attempt");
        }
        ++fragile_runs;
      });
      break;
    } catch (const std::runtime_error&) {
    }
  }
  assert(fragile_runs == 1);
}

}  // namespace

int main() {
  std::thread first(use);
  std::thread second(use);
  first.join();
  second.join();
  assert(attempts == 2);
  return 0;
}
