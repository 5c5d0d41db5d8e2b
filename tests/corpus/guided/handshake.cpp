// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Ravel authors
//
// A value is handed over by a flag. No lock protects it, so static analysis warns of a race that cannot happen. BROKEN:
// the flag is set too early, and the warning is right.
#include <atomic>
#include <thread>

#include "ravel/ravel.h"

int value = 0;
std::atomic<bool> ready{false};

void producer() {
#ifdef BROKEN
  ready = true;
  value = 42;  // here: written
#else
  value = 42;  // here: written
  ready = true;
#endif
}

void consumer() {
  if (!ready) return;
  const int seen = value;  // here: read
  ravel::check(seen == 42, "seen == 42");
}

int main() {
  std::thread first(producer);
  std::thread second(consumer);
  first.join();
  second.join();
}
