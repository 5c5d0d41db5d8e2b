// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Ravel authors
//
// Locks of ranges that belong to open files exclude threads: of two ranges that do not overlap none waits, shared ones
// go together, a conversion waits for the others only, and they go by F_UNLCK, by the last close and by dup2. A try
// fails while another has it, and F_OFD_GETLK says what it has.
//
// expect: clean
// iterations: 1500
#include <assert.h>
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

#include <thread>

static int low = 0;   // bytes 0 to 9
static int high = 0;  // bytes 10 and on
static char name[] = "records-XXXXXX";

static int ask(int file, int command, short type, off_t start, off_t length) {
  struct flock lock = {};
  lock.l_type = type;
  lock.l_whence = SEEK_SET;
  lock.l_start = start;
  lock.l_len = length;
  return fcntl(file, command, &lock);
}

static void low_and_unlock() {
  const int file = open(name, O_RDWR);
  assert(ask(file, F_OFD_SETLKW, F_WRLCK, 0, 10) == 0);
  ++low;
  assert(ask(file, F_OFD_SETLK, F_UNLCK, 0, 10) == 0);
  close(file);
}

static void both_and_close() {
  const int file = open(name, O_RDWR);
  const int again = dup(file);
  assert(ask(file, F_OFD_SETLKW, F_WRLCK, 0, 0) == 0);
  close(file);  // the other one keeps it
  ++low;
  ++high;
  const int replaced = open("/dev/null", O_RDONLY);
  dup2(replaced, again);
  close(replaced);
  close(again);
}

static void look_and_convert() {
  const int file = open(name, O_RDWR);
  struct flock seen = {};
  seen.l_type = F_RDLCK;
  seen.l_len = 10;
  assert(fcntl(file, F_OFD_GETLK, &seen) == 0 && (seen.l_type == F_UNLCK || seen.l_pid == -1));
  assert(ask(file, F_OFD_SETLKW, F_RDLCK, 10, 5) == 0);
  const int before = high;
  if (ask(file, F_OFD_SETLK, F_WRLCK, 10, 0) == 0) {
    high += high == before ? 1 : 100;
  } else {
    assert(errno == EAGAIN);
  }
  close(file);
}

int main() {
  close(mkstemp(name));
  {
    std::thread first(low_and_unlock);
    std::thread second(both_and_close);
    std::thread third(look_and_convert);
    first.join();
    second.join();
    third.join();
  }
  unlink(name);
  return low == 2 && (high == 1 || high == 2) ? 0 : 1;
}
