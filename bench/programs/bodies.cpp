// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Ravel authors
//
// Threads that do one thing: bodies KIND THREADS TIMES.
//   rmw      relaxed increments of one counter
//   locks    one mutex, taken and given back
//   readers  one atomic load each; the last thread stores
//   nothing  what threads cost by themselves
#include <pthread.h>

#include <atomic>
#include <cstdlib>
#include <cstring>

namespace {

constexpr int kMostThreads = 64;

std::atomic<int> counter{0};
pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
int times = 1;

void* increments(void*) {
  for (int i = 0, n = times; i < n; ++i) counter.fetch_add(1, std::memory_order_relaxed);
  return nullptr;
}
void* locks(void*) {
  for (int i = 0, n = times; i < n; ++i) {
    pthread_mutex_lock(&mutex);
    pthread_mutex_unlock(&mutex);
  }
  return nullptr;
}
void* loads(void*) {
  (void)counter.load(std::memory_order_relaxed);
  return nullptr;
}
void* stores(void*) {
  counter.store(1, std::memory_order_relaxed);
  return nullptr;
}
void* returns(void*) {
  return nullptr;
}

}  // namespace

int main(int argc, char** argv) {
  if (argc != 4) return 2;
  const bool reads = std::strcmp(argv[1], "readers") == 0;
  void* (*body)(void*) = reads                                ? loads
                         : std::strcmp(argv[1], "rmw") == 0   ? increments
                         : std::strcmp(argv[1], "locks") == 0 ? locks
                                                              : returns;
  const int threads = std::atoi(argv[2]);
  if (threads < 1 || threads > kMostThreads) return 2;
  times = std::atoi(argv[3]);
  pthread_t handles[kMostThreads];
  for (int i = 0; i < threads; ++i) {
    pthread_create(&handles[i], nullptr, reads && i == threads - 1 ? stores : body, nullptr);
  }
  for (int i = 0; i < threads; ++i) pthread_join(handles[i], nullptr);
  return 0;
}
