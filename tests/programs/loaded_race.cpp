// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Ravel authors
//
// A race inside a library that was loaded at run time is found and named with file and line.
//
// expect: kind=data-race lines=read,write
// flags: -Wl,-rpath,$ORIGIN
// library: yes
#ifdef LIBRARY

static int value = 0;

extern "C" void put(int v) {
  value = v;  // here: write
}
extern "C" int get() {
  return value;  // here: read
}

#else

#include <dlfcn.h>

#include <cassert>
#include <thread>

int main() {
  void* const handle = dlopen("libloaded_race.so", RTLD_NOW);
  assert(handle != nullptr);
  auto* const put = reinterpret_cast<void (*)(int)>(dlsym(handle, "put"));
  auto* const get = reinterpret_cast<int (*)()>(dlsym(handle, "get"));
  std::thread writer(put, 3);
  const int seen = get();
  writer.join();
  return seen != 0 && seen != 3;
}

#endif
