// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Ravel authors
// Pointers that come back from the library: thread-specific data, the result of a thread, an exception, mapped memory,
// variables of its own.
// expect: RW 5 or more
#include <pthread.h>
#include <sys/mman.h>
#include <time.h>

#include <thread>
struct Cell {
  int value = 0;
};
struct Error {
  Cell* where;
};
Cell specific, joined, thrown;
Cell* mapped = nullptr;
pthread_key_t key;
void* give(void*) {
  return &joined;
}
void fail() {
  try {
    throw Error{&thrown};
  } catch (Error& error) {
    error.where->value = 1;
  }
}
int main() {
  pthread_key_create(&key, nullptr);
  mapped = static_cast<Cell*>(mmap(nullptr, 4096, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0));
  std::thread t1([] {
    pthread_setspecific(key, &specific);
    static_cast<Cell*>(pthread_getspecific(key))->value = 1;
    pthread_t made;
    void* result = nullptr;
    pthread_create(&made, nullptr, give, nullptr);
    pthread_join(made, &result);
    static_cast<Cell*>(result)->value = 1;
    mapped->value = 1;
    const tm date{};
    *asctime(&date) = 'a';
    fail();
  });
  std::thread t2([] {
    specific.value = 2;
    joined.value = 2;
    mapped->value = 2;
    const tm date{};
    *asctime(&date) = 'b';
    thrown.value = 2;
  });
  t1.join();
  t2.join();
}
