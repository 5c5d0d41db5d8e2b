// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Ravel authors
//
// Two locks of files in opposite order.
//
// expect: kind=deadlock
// output: lock of a file,lock of file 2
// native: no
#include <fcntl.h>
#include <stdio.h>
#include <sys/file.h>
#include <sys/mman.h>
#include <unistd.h>

#include <thread>

static int files[2];

static int again(int file) {
  char path[64];
  snprintf(path, sizeof path, "/proc/self/fd/%d", file);
  return open(path, O_RDWR);
}

static void take(int first, int second) {
  const int one = again(files[first]);
  const int other = again(files[second]);
  flock(one, LOCK_EX);
  flock(other, LOCK_EX);
  close(other);
  close(one);
}

int main() {
  for (int& file : files) file = memfd_create("locked", 0);
  std::thread forwards(take, 0, 1);
  std::thread backwards(take, 1, 0);
  forwards.join();
  backwards.join();
}
