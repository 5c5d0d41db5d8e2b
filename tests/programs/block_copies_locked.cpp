// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Ravel authors
//
// Copies, fills and moves of blocks under a lock: no race, and the bytes are those of one writer.
//
// expect: clean
// operations: read,write,lock
#include <cassert>
#include <cstring>
#include <mutex>
#include <thread>

struct Block {
  char bytes[4096];
};

static std::mutex mutex;
static Block shared;

static void fill(char c) {
  Block own;
  std::memset(&own, c, sizeof own);
  std::lock_guard lock(mutex);
  std::memcpy(&shared, &own, sizeof own);
  std::memmove(shared.bytes + 1, shared.bytes, sizeof shared - 1);
}

int main() {
  std::thread first(fill, 'a');
  std::thread second(fill, 'b');
  Block seen;
  {
    std::lock_guard lock(mutex);
    seen = shared;
  }
  first.join();
  second.join();
  assert(seen.bytes[0] == seen.bytes[4095]);
  assert(std::memcmp(shared.bytes, shared.bytes + 1, sizeof shared - 1) == 0);
  return 0;
}
