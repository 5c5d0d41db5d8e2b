// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Ravel authors
//
// A choice between operations at which another thread could run: the schedule has it in its place, else the failure is
// not found again.
#include <ravel/ravel.h>

#include <atomic>
#include <thread>

int main() {
  std::atomic<int> x{0};
  std::thread other([&x] { x.fetch_add(100); });
  for (int i = 0; i < 4; ++i) x.fetch_add(1);
  const unsigned kind = ravel::choose(3);
  for (int i = 0; i < 4; ++i) x.fetch_add(1);
  ravel::choose(2);
  for (int i = 0; i < 4; ++i) x.fetch_add(1);
  RAVEL_CHECK(x.load() != 12 || kind > 2);  // here: fails
  other.join();
}
