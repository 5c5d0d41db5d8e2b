// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Ravel authors
//
// Read-copy-update with a count of readers: the writer waits for those that may have the old copy.
//
// outcomes: 2
#include <ravel/ravel.h>

#include <atomic>
#include <thread>

int main() {
  std::atomic<int*> shared{new int(1)};
  std::atomic<int> readers{0};
  int seen = 0;
  std::thread reader([&] {
    readers.fetch_add(1);
    seen = *shared.load();
    readers.fetch_sub(1);
  });
  int* const old = shared.exchange(new int(2));
  while (readers.load() != 0) std::this_thread::yield();
  delete old;
  reader.join();
  ravel::observe("seen", seen);
  delete shared.load();
}
