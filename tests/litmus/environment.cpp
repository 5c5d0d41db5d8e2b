// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Ravel authors
//
// getenv beside setenv: state of the C library.
//
// outcomes: 2
#include <ravel/ravel.h>

#include <cstdlib>
#include <thread>

int main() {
  std::thread other([] { setenv("RAVEL_LITMUS", "1", 1); });
  const bool seen = getenv("RAVEL_LITMUS") != nullptr;
  other.join();
  ravel::observe("seen", seen);
}
