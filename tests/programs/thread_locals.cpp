// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Ravel authors
//
// thread_local objects: built in each thread that uses them, destroyed at its end; errno belongs to its thread.
//
// expect: clean
// operations: create,join
#include <atomic>
#include <cassert>
#include <cerrno>
#include <thread>
#include <vector>

namespace {

std::atomic<int> built{0};
std::atomic<int> destroyed{0};

struct Scratch {
  Scratch() { ++built; }
  ~Scratch() {
    assert(values.size() == 3);
    ++destroyed;
  }
  std::vector<int> values;
};

thread_local Scratch scratch;
thread_local int plain = 5;
thread_local Scratch* unused = nullptr;

void work(int seed) {
  errno = seed;
  for (int i = 0; i < 3; ++i) {
    scratch.values.push_back(seed + i);
    plain += seed;
    std::this_thread::yield();
  }
  assert(scratch.values[2] == seed + 2);
  assert(plain == 5 + 3 * seed);
  assert(unused == nullptr);
  assert(errno == seed);
}

}  // namespace

int main() {
  for (int round = 1; round <= 2; ++round) {
    std::thread first([] { work(10); });
    std::thread second([] { work(20); });
    first.join();
    second.join();
    assert(built == 2 * round);
    assert(destroyed == 2 * round);
  }
  assert(plain == 5);
  return 0;
}
