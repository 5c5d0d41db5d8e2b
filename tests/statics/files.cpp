// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Ravel authors
// Threads that share a file, and one variable: the contents of a file are no memory.
// expect: RW 2 MM 0 WM 0 WN 0 classes 2
#include <stdlib.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cstdio>
#include <thread>
int file = -1;
int shared = 0;
int main() {
  file = fileno(tmpfile());
  std::thread t1([] {
    char c = 1;
    pwrite(file, &c, 1, 0);
    setenv("A", "B", 1);
    ++shared;
  });
  std::thread t2([] {
    char c = 0;
    pread(file, &c, 1, 0);
    umask(3);
    setenv("A", "C", 1);
    rand();
    shared = 2;
  });
  t1.join();
  t2.join();
}
