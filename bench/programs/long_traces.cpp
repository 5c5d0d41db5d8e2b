// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Ravel authors
//
// Two threads with a trace of any length: long_traces KIND N, where KIND is what they do N times each.
//   locks    one mutex around a counter
//   shared   an atomic counter of both
//   own      atomics of their own, then a few times one that both have
#include <atomic>
#include <cstdlib>
#include <cstring>
#include <mutex>
#include <thread>

namespace {

std::mutex mutex;
int counter = 0;
std::atomic<int> both{0};
std::atomic<int> own[2][1024];

void work(const char* kind, int thread, int times) {
  for (int i = 0; i < times; ++i) {
    if (std::strcmp(kind, "locks") == 0) {
      const std::lock_guard<std::mutex> guard(mutex);
      ++counter;
    } else if (std::strcmp(kind, "shared") == 0) {
      both.fetch_add(1, std::memory_order_relaxed);
    } else {
      own[thread][i % 1024].store(i, std::memory_order_relaxed);
    }
  }
  const int last = std::strcmp(kind, "own") == 0 ? 5 : 1;
  for (int i = 0; i < last; ++i) both.fetch_add(1, std::memory_order_relaxed);
}

}  // namespace

int main(int argc, char** argv) {
  if (argc != 3) return 2;
  const int times = std::atoi(argv[2]);
  std::thread one(work, argv[1], 0, times);
  std::thread two(work, argv[1], 1, times);
  one.join();
  two.join();
  return 0;
}
