// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Ravel authors
//
// Two ranges of one file, locked by two open files in opposite order: nobody tells EDEADLK for these.
//
// expect: kind=deadlock threads=T1,T2
// output: record locks of a file
// native: no
#include <fcntl.h>
#include <stdio.h>
#include <sys/mman.h>
#include <unistd.h>

#include <thread>

static int shared;

static void lock_byte(int file, off_t byte) {
  struct flock lock = {};
  lock.l_type = F_WRLCK;
  lock.l_start = byte;
  lock.l_len = 1;
  fcntl(file, F_OFD_SETLKW, &lock);
}

static void take(off_t first, off_t second) {
  char path[64];
  snprintf(path, sizeof path, "/proc/self/fd/%d", shared);
  const int file = open(path, O_RDWR);
  lock_byte(file, first);
  lock_byte(file, second);
  close(file);
}

int main() {
  shared = memfd_create("locked", 0);
  std::thread forwards(take, 0, 1);
  std::thread backwards(take, 1, 0);
  forwards.join();
  backwards.join();
}
