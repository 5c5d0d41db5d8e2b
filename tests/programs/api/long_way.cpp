// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Ravel authors
//
// More steps than the limit allows, but the program says that it gets somewhere. -DSILENT: it does not.
#include <ravel/ravel.h>

#include <atomic>
#include <thread>

int main() {
  std::atomic<int> n{0};
  std::thread other([&n] {
    for (int i = 0; i < 300; ++i) {
      ++n;
#ifndef SILENT
      ravel::progress();
#endif
    }
  });
  ++n;
  other.join();
  ravel::check(n == 301);
}
