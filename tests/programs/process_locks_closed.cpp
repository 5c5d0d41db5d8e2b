// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Ravel authors
//
// Locks of the process stand in the way of open files, are never in its own, and go when any descriptor of the file is
// closed, also one that was never locked: the thread that waits for the range goes on then. lockf makes the same locks.
//
// expect: clean
// iterations: 500
#include <assert.h>
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/wait.h>
#include <unistd.h>

#include <thread>

static char name[] = "process-XXXXXX";
static int value = 0;

static void wait_for_process() {
  const int file = open(name, O_RDWR);
  struct flock lock = {};
  lock.l_type = F_WRLCK;
  assert(fcntl(file, F_OFD_GETLK, &lock) == 0);
  if (lock.l_type != F_UNLCK) assert(lock.l_pid == getpid() && lock.l_start == 0 && lock.l_len == 0);
  lock = {};
  lock.l_type = F_WRLCK;
  assert(fcntl(file, F_OFD_SETLKW, &lock) == 0);
  ++value;
  close(file);
}

int main() {
  const int file = mkstemp(name);
  assert(lockf(file, F_LOCK, 0) == 0);
  assert(lockf(file, F_TEST, 0) == 0);  // one's own
  struct flock again = {};
  again.l_type = F_WRLCK;
  assert(fcntl(file, F_SETLKW, &again) == 0);
  {
    std::thread waiter(wait_for_process);
    assert(lockf(file, F_LOCK, 0) == 0);
    ++value;
    close(open(name, O_RDONLY));
    waiter.join();
  }
  assert(lockf(file, F_TLOCK, 10) == 0);
  assert(lockf(file, F_ULOCK, 10) == 0);
  assert(lockf(file, 77, 10) == -1 && errno == EINVAL);
  assert(fcntl(-1, F_SETLK, &again) == -1 && errno == EBADF);
  unlink(name);
  return value == 2 ? 0 : 1;
}
