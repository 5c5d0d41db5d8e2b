// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Ravel authors
//
// A reader protects what it uses by a hazard pointer, the writer frees only what nobody protects.
//
// outcomes: 5
#include <ravel/ravel.h>

#include <atomic>
#include <thread>

int main() {
  std::atomic<int*> shared{new int(1)};
  std::atomic<int*> hazard{nullptr};
  int seen = 0;
  std::thread reader([&] {
    int* const p = shared.load();
    hazard.store(p);
    if (shared.load() == p) seen = *p;
    hazard.store(nullptr);
  });
  int* const old = shared.exchange(new int(2));
  const bool kept = hazard.load() == old;
  if (!kept) delete old;
  reader.join();
  if (kept) delete old;
  ravel::observe("seen", seen);
  ravel::observe("kept", kept);
  delete shared.load();
}
