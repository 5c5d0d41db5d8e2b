// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Ravel authors
//
// Read-copy-update with a counter for each reader: the writer frees the old version when no reader can still have it.
//
// expect: clean
#include <atomic>
#include <cassert>
#include <thread>

namespace {

struct Version {
  int low;
  int high;
};

std::atomic<Version*> current{new Version{0, 0}};
std::atomic<unsigned> inside[2];  // odd: in a read-side section

void read(int me) {
  inside[me].fetch_add(1);
  const Version* const seen = current.load();
  assert(seen->low == seen->high);
  inside[me].fetch_add(1);
}

void wait_for_readers() {
  for (std::atomic<unsigned>& reader : inside) {
    const unsigned seen = reader.load();
    if (seen % 2 == 0) continue;
    while (reader.load() == seen) std::this_thread::yield();
  }
}

void update(int value) {
  Version* const old = current.exchange(new Version{value, value});
  wait_for_readers();
  delete old;
}

}  // namespace

int main() {
  std::thread first([] {
    read(0);
    read(0);
  });
  std::thread second([] { read(1); });
  update(1);
  update(2);
  first.join();
  second.join();
  delete current.load();
  return 0;
}
