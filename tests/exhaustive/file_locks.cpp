// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Ravel authors
//
// Locks of files, by flock and fcntl: file_locks NAME. What every interleaving can end with must be what a reduced
// search finds (tests/system/searches.py).
#include <fcntl.h>
#include <ravel/ravel.h>
#include <stdio.h>
#include <string.h>
#include <sys/file.h>
#include <sys/mman.h>
#include <unistd.h>

#include <thread>

namespace {

int shared;
int seen[2][2];  // by thread: what its tries gave

int again() {
  char path[64];
  snprintf(path, sizeof path, "/proc/self/fd/%d", shared);
  return open(path, O_RDWR);
}

int ask(int file, int command, short type, off_t start, off_t length) {
  struct flock lock = {};
  lock.l_type = type;
  lock.l_start = start;
  lock.l_len = length;
  return fcntl(file, command, &lock);
}

template <class First, class Second>
void run(First first, Second second) {
  std::thread one(first);
  std::thread two(second);
  one.join();
  two.join();
}

// Shared and exclusive ranges, conversion, a part given back, a wait that may never end.
void ranges() {
  const int a = again();
  const int b = again();
  run(
      [a] {
        seen[0][0] = ask(a, F_OFD_SETLK, F_RDLCK, 0, 4);
        seen[0][1] = ask(a, F_OFD_SETLK, F_WRLCK, 2, 4);
        ask(a, F_OFD_SETLK, F_UNLCK, 0, 3);
      },
      [b] {
        ask(b, F_OFD_SETLKW, F_RDLCK, 3, 1);
        seen[1][0] = ask(b, F_OFD_SETLK, F_WRLCK, 0, 2);
        close(b);
      });
}

// The process's locks and those of an open file; the close of any descriptor drops the first.
void process() {
  const int a = again();
  const int b = again();
  run(
      [a] {
        seen[0][0] = ask(a, F_SETLK, F_WRLCK, 0, 2);
        close(a);
      },
      [b] {
        seen[1][0] = ask(b, F_OFD_SETLK, F_WRLCK, 1, 1);
        ask(b, F_OFD_SETLKW, F_RDLCK, 0, 0);
        seen[1][1] = ask(b, F_OFD_SETLK, F_UNLCK, 0, 0);
      });
}

// flock of one open file by two descriptors: only the last close lets go.
void whole() {
  const int a = again();
  const int copy = dup(a);
  const int b = again();
  run(
      [a, copy] {
        seen[0][0] = flock(a, LOCK_SH | LOCK_NB);
        close(a);
        close(copy);
      },
      [b] {
        seen[1][0] = flock(b, LOCK_EX | LOCK_NB);
        seen[1][1] = flock(b, LOCK_SH);
      });
}

}  // namespace

int main(int, char** arguments) {
  shared = memfd_create("locked", 0);
  if (strcmp(arguments[1], "ranges") == 0) ranges();
  if (strcmp(arguments[1], "process") == 0) process();
  if (strcmp(arguments[1], "whole") == 0) whole();
  ravel::observe("a", seen[0][0]);
  ravel::observe("b", seen[0][1]);
  ravel::observe("c", seen[1][0]);
  ravel::observe("d", seen[1][1]);
}
