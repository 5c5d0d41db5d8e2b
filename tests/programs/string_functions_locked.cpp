// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Ravel authors
//
// Functions on strings under a lock; and beside each other without one, where they touch different bytes: a comparison
// that ends at the first difference, a search that ends at what it finds. A function of the program with the name of
// one of the C library's stays the program's.
//
// expect: clean
// operations: read,write,lock
#include <cassert>
#include <cstring>
#include <mutex>
#include <thread>

static std::mutex mutex;
static char shared[64] = "a";
static char apart[16] = "ab|xyz";

extern "C" __attribute__((noinline)) char* strdup(const char*) noexcept {
  static char own[] = "own";
  return own;
}

int main(int argc, char** argv) {
  std::thread other([] {
    {
      std::lock_guard lock(mutex);
      std::strcat(shared, "b");
      assert(std::strchr(shared, 'b') != nullptr);
    }
    std::strcpy(apart + 3, "q");
  });
  {
    std::lock_guard lock(mutex);
    std::strcat(shared, "c");
    assert(std::strlen(shared) >= 2);
  }
  const char* bar = std::strchr(apart, '|');
  assert(bar == apart + 2);
  assert(std::strcmp(apart, argc > 0 ? "b" : argv[0]) < 0);
  assert(std::strcmp(strdup(argv[0]), "own") == 0);
  other.join();
  assert(std::strlen(shared) == 3);
  return 0;
}
