// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Ravel authors
//
// Two threads that never end: every execution is cut at its limit of steps.
#include <atomic>
#include <thread>

namespace {

std::atomic<unsigned> counter{0};

[[noreturn]] void count_up() {
  for (;;) counter.fetch_add(1);
}

}  // namespace

int main() {
  std::thread other(count_up);
  count_up();
}
