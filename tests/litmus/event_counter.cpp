// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Ravel authors
//
// An event descriptor counts: a reader takes all that has come.
//
// outcomes: 2
#include <ravel/ravel.h>
#include <sys/eventfd.h>
#include <unistd.h>

#include <cstdint>
#include <thread>

int main() {
  const int event = eventfd(0, 0);
  const auto poke = [&] {
    const std::uint64_t one = 1;
    (void)!write(event, &one, sizeof one);
  };
  std::thread a(poke);
  std::thread b(poke);
  std::uint64_t count = 0;
  (void)!read(event, &count, sizeof count);
  a.join();
  b.join();
  ravel::observe("count", count);
}
