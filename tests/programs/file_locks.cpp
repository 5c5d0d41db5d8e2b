// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Ravel authors
//
// flock excludes threads by their open files: blocking, shared, upgraded, let go of by LOCK_UN, close and fclose. A try
// fails while another has it.
//
// expect: clean
// iterations: 2000
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/file.h>
#include <unistd.h>

#include <thread>

static int value = 0;
static char name[] = "locked-XXXXXX";

static void add_and_unlock() {
  const int file = open(name, O_RDWR);
  flock(file, LOCK_EX);
  ++value;
  flock(file, LOCK_UN);
  close(file);
}

static void add_and_close() {
  FILE* file = fopen(name, "r+");
  flock(fileno(file), LOCK_EX);
  ++value;
  fclose(file);
}

static void try_and_upgrade() {
  const int file = open(name, O_RDWR);
  if (flock(file, LOCK_SH | LOCK_NB) == 0) {
    const int seen = value;
    flock(file, LOCK_EX);
    value += value >= seen ? 1 : 100;
  }
  close(file);
}

int main() {
  close(mkstemp(name));
  {
    std::thread first(add_and_unlock);
    std::thread second(add_and_close);
    std::thread third(try_and_upgrade);
    first.join();
    second.join();
    third.join();
  }
  unlink(name);
  return value == 2 || value == 3 ? 0 : 1;
}
