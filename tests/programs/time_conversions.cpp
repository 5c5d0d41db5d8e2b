// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Ravel authors
//
// The C library converts times under a lock of its own, which Ravel does not see, and frees memory inside it: a thread
// that lost its turn there would leave all others blocked.
//
// expect: clean
// iterations: 200
// options: --points all --strategy random
// operations: create,join
#include <cassert>
#include <ctime>
#include <thread>

namespace {

int day_of(std::time_t time) {
  std::tm parts;
  localtime_r(&time, &parts);
  assert(std::mktime(&parts) == time);
  return parts.tm_yday;
}

}  // namespace

int main() {
  int early = 0;
  int late = 0;
  std::thread first([&early] { early = day_of(86'400 * 10); });
  std::thread second([&late] { late = day_of(86'400 * 20); });
  first.join();
  second.join();
  assert(late - early == 10);
}
