// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Ravel authors
//
// Plain data published by creation and join of threads, over a chain of threads and through pthread_tryjoin_np.
//
// expect: clean
#include <pthread.h>

#include <cassert>
#include <memory>
#include <thread>

namespace {

int data = 0;

void* add(void*) {
  ++data;
  return &data;
}

void deeper(int depth) {
  ++data;
  if (depth == 0) return;
  std::thread next(deeper, depth - 1);
  next.join();
  ++data;
}

}  // namespace

int main() {
  deeper(2);
  assert(data == 5);
  pthread_t thread;
  pthread_create(&thread, nullptr, add, nullptr);
  void* result = nullptr;
  while (pthread_tryjoin_np(thread, &result) != 0) std::this_thread::yield();
  assert(result == &data && data == 6);
  auto value = std::make_unique<int>(1);
  std::thread owner([value = std::move(value)]() mutable { *value = 2; });
  owner.join();
  std::jthread last([] { ++data; });
  last.join();
  assert(data == 7);
  return 0;
}
