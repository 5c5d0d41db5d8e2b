// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Ravel authors
//
// Unbounded recursion in a thread.
//
// expect: kind=signal threads=T1 message=SIGSEGV|stack
#include <atomic>
#include <thread>

namespace {

std::atomic<int> visited{0};

int descend(const int* above, int depth) {
  volatile int frame[256];
  frame[depth % 256] = above == nullptr ? depth : *above + depth;
  if (visited.load() < 0) {
    return frame[0];
  }
  const int here = frame[depth % 256];
  return descend(&here, depth + 1) + frame[1];
}

}  // namespace

int main() {
  std::thread deep([] { visited = descend(nullptr, 1); });
  std::thread other([] { visited.fetch_add(1); });
  deep.join();
  other.join();
  return 0;
}
