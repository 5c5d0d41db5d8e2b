// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Ravel authors
//
// Two calls of explore() that an exhaustive search covers: each races two threads over an atomic, and reads a file
// that Ravel does not control. What is true of each call must be said of the whole.
#include <ravel/ravel.h>

#include <atomic>
#include <cstdio>
#include <thread>

namespace {

void race_to_zero() {
  if (std::FILE* file = std::fopen("/proc/self/stat", "r")) std::fclose(file);
  std::atomic<int> last{0};
  std::thread first([&last] { last = 1; });
  std::thread second([&last] { last = 2; });
  first.join();
  second.join();
  ravel::observe("last", last.load());
  ravel::check(last != 0, "somebody was last");
}

}  // namespace

int main() {
  ravel::explore(race_to_zero, {.name = "one"});
  ravel::explore(race_to_zero, {.name = "two"});
}
