// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Ravel authors
//
// Objects of a thread that add to a total when the thread ends, one of them made by the destructor of another.
//
// expect: clean
#include <cassert>
#include <mutex>
#include <thread>

namespace {

std::mutex mutex;
int total = 0;

struct Late {
  ~Late() {
    const std::lock_guard<std::mutex> guard(mutex);
    total += 10;
  }
  int touched = 0;
};

Late& late() {
  thread_local Late made;
  return made;
}

struct Counter {
  int count = 0;
  ~Counter() {
    const std::lock_guard<std::mutex> guard(mutex);
    total += count;
    ++late().touched;
  }
};

thread_local Counter counter;

void work(int times) {
  for (int i = 0; i < times; ++i) ++counter.count;
}

}  // namespace

int main() {
  std::thread first(work, 1);
  std::thread second(work, 2);
  first.join();
  second.join();
  const std::lock_guard<std::mutex> guard(mutex);
  assert(total == 23);
  return 0;
}
