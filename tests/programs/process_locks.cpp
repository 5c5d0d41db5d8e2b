// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Ravel authors
//
// Locks of the process exclude no thread of it: two threads that have "locked" the same range race.
//
// expect: kind=data-race lines=write
// native: no
#include <fcntl.h>
#include <sys/mman.h>
#include <unistd.h>

#include <thread>

static int file;
static int value = 0;

static void add() {
  struct flock lock = {};
  lock.l_type = F_WRLCK;
  fcntl(file, F_SETLKW, &lock);
  ++value;  // here: write
  lock.l_type = F_UNLCK;
  fcntl(file, F_SETLK, &lock);
}

int main() {
  file = memfd_create("locked", 0);
  std::thread first(add);
  std::thread second(add);
  first.join();
  second.join();
}
