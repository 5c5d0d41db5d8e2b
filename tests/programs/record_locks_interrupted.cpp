// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Ravel authors
//
// A wait for a range ends with EINTR when a handler ran that was set up without SA_RESTART.
//
// expect: kind=exit-code
// native: no
#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdio.h>
#include <sys/mman.h>
#include <unistd.h>

#include <thread>

static int held;
static int result = 0;

static int ask(int file, int command, short type) {
  struct flock lock = {};
  lock.l_type = type;
  return fcntl(file, command, &lock) == 0 ? 0 : errno;
}

static void wait_for_it() {
  char path[64];
  snprintf(path, sizeof path, "/proc/self/fd/%d", held);
  result = ask(open(path, O_RDWR), F_OFD_SETLKW, F_WRLCK);
}

int main() {
  held = memfd_create("locked", 0);
  ask(held, F_OFD_SETLK, F_WRLCK);
  struct sigaction action = {};
  action.sa_handler = [](int) {};
#ifdef RESTART
  action.sa_flags = SA_RESTART;
#endif
  sigaction(SIGUSR1, &action, nullptr);
  std::thread waiter(wait_for_it);
  pthread_kill(waiter.native_handle(), SIGUSR1);
  ask(held, F_OFD_SETLK, F_UNLCK);
  waiter.join();
  return result == EINTR ? 1 : 0;
}
