// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Ravel authors
//
// Two threads load the same library, whose constructor synchronises; its thread-local storage is fresh in each thread,
// its accesses are seen and its destructor runs when the last has closed it.
//
// expect: clean
// flags: -Wl,-rpath,$ORIGIN
// library: yes
// operations: lock,unlock,rmw
#ifdef LIBRARY

#include <atomic>
#include <mutex>
#include <thread>

extern std::atomic<int> constructed;

static std::mutex mutex;
static int calls = 0;
static thread_local int own_calls = 0;

__attribute__((constructor)) static void begin() {
  std::this_thread::yield();
  std::lock_guard lock(mutex);
  std::this_thread::yield();
  ++constructed;
}

__attribute__((destructor)) static void end() {
  std::this_thread::yield();
  --constructed;
}

extern "C" int call() {
  std::lock_guard lock(mutex);
  ++calls;
  return ++own_calls;
}

#else

#include <dlfcn.h>

#include <atomic>
#include <cassert>
#include <thread>

std::atomic<int> constructed{0};

static void use() {
  void* const handle = dlopen("libloaded_library.so", RTLD_NOW);
  assert(handle != nullptr);
  assert(constructed == 1);
  auto* const call = reinterpret_cast<int (*)()>(dlsym(handle, "call"));
  assert(call != nullptr);
  assert(call() == 1);
  assert(call() == 2);
  assert(dlclose(handle) == 0);
}

int main() {
  std::thread first(use);
  std::thread second(use);
  first.join();
  second.join();
  std::thread third(use);  // in place of one that has ended
  third.join();
  assert(constructed == 0 || constructed == 1);  // a library with thread-local objects may stay
  return 0;
}

#endif
