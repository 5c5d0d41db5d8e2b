// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Ravel authors
//
// Two threads that each wait for the other's byte: a deadlock, found at once since nobody outside can write.
//
// expect: kind=deadlock threads=T1,T2
#include <unistd.h>

#include <cassert>
#include <thread>

int main() {
  int there[2];
  int back[2];
  assert(pipe(there) == 0 && pipe(back) == 0);
  const auto answer = [](int from, int to) {
    char c = 0;
    assert(read(from, &c, 1) == 1);
    assert(write(to, &c, 1) == 1);
  };
  std::thread first(answer, there[0], back[1]);
  std::thread second(answer, back[0], there[1]);
  first.join();
  second.join();
  return 0;
}
