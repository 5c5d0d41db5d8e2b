// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Ravel authors
//
// POSIX threads: attributes, results, names, keys with destructors, detached threads.
//
// expect: clean
// operations: create,start,end,join
#include <pthread.h>

#include <atomic>
#include <cassert>
#include <cerrno>
#include <cstring>
#include <thread>

namespace {

pthread_key_t key;
std::atomic<int> destroyed{0};
std::atomic<bool> detached_done{false};

void destroy(void* value) {
  assert(*static_cast<int*>(value) == 41 || *static_cast<int*>(value) == 42);
  ++destroyed;
}

void* with_key(void* argument) {
  assert(pthread_getspecific(key) == nullptr);
  assert(pthread_setspecific(key, argument) == 0);
  std::this_thread::yield();
  assert(pthread_getspecific(key) == argument);
  return argument;
}

void* named(void*) {
  assert(pthread_setname_np(pthread_self(), "counter") == 0);
  char name[16] = {};
  assert(pthread_getname_np(pthread_self(), name, sizeof name) == 0);
  assert(std::strcmp(name, "counter") == 0);
  return nullptr;
}

void* large_frame(void*) {
  volatile char block[2 << 20];
  block[0] = 1;
  block[sizeof block - 1] = 2;
  return block[0] == 1 ? &key : nullptr;
}

void* detached(void*) {
  detached_done = true;
  return nullptr;
}

}  // namespace

int main() {
  assert(pthread_key_create(&key, destroy) == 0);
  int values[2] = {41, 42};
  pthread_t threads[2];
  for (int i = 0; i < 2; ++i) {
    assert(pthread_create(&threads[i], nullptr, with_key, &values[i]) == 0);
  }
  assert(!pthread_equal(threads[0], threads[1]));
  for (int i = 0; i < 2; ++i) {
    void* result = nullptr;
    assert(pthread_join(threads[i], &result) == 0);
    assert(result == &values[i]);
  }
  assert(destroyed == 2);
  assert(pthread_key_delete(key) == 0);

  pthread_t thread;
  assert(pthread_create(&thread, nullptr, named, nullptr) == 0);
  assert(pthread_join(thread, nullptr) == 0);

  pthread_attr_t attributes;
  assert(pthread_attr_init(&attributes) == 0);
  assert(pthread_attr_setstacksize(&attributes, 4 << 20) == 0);
  assert(pthread_create(&thread, &attributes, large_frame, nullptr) == 0);
  void* result = nullptr;
  assert(pthread_join(thread, &result) == 0 && result == &key);

  int state = 0;
  assert(pthread_attr_setdetachstate(&attributes, PTHREAD_CREATE_DETACHED) == 0);
  assert(pthread_attr_getdetachstate(&attributes, &state) == 0 && state == PTHREAD_CREATE_DETACHED);
  assert(pthread_create(&thread, &attributes, detached, nullptr) == 0);
  while (!detached_done) {
    std::this_thread::yield();
  }
  assert(pthread_attr_destroy(&attributes) == 0);

  detached_done = false;
  assert(pthread_create(&thread, nullptr, detached, nullptr) == 0);
  assert(pthread_detach(thread) == 0);
  while (!detached_done) {
    std::this_thread::yield();
  }
  assert(pthread_join(pthread_self(), nullptr) == EDEADLK);
  return 0;
}
