// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Ravel authors
//
// Plain data published by call_once (also one whose first attempt throws), pthread_once and a static local.
//
// expect: clean
#include <pthread.h>

#include <cassert>
#include <mutex>
#include <thread>

namespace {

std::once_flag once;
pthread_once_t other_once = PTHREAD_ONCE_INIT;
int data = 0;
int more = 0;
int attempts = 0;

struct Table {
  int values[4];
  Table() {
    for (int i = 0; i < 4; ++i) values[i] = i * i;
  }
};

const Table& table() {
  static const Table made;
  return made;
}

void work() {
  for (bool done = false; !done;) {
    try {
      std::call_once(once, [] {
        if (++attempts == 1) throw 1;
        data = 1;
      });
      done = true;
    } catch (int) {
    }
  }
  assert(data == 1);
  pthread_once(&other_once, [] { more = 2; });
  assert(more == 2);
  assert(table().values[3] == 9);
}

}  // namespace

int main() {
  std::thread first(work);
  std::thread second(work);
  work();
  first.join();
  second.join();
  assert(attempts == 2);
  return 0;
}
