// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Ravel authors
//
// A wait for a range is a cancellation point, and leaves nothing behind.
//
// expect: clean
#include <errno.h>
#include <fcntl.h>
#include <pthread.h>
#include <stdio.h>
#include <sys/mman.h>
#include <unistd.h>

static int held;

static int ask(int file, int command, short type) {
  struct flock lock = {};
  lock.l_type = type;
  return fcntl(file, command, &lock) == 0 ? 0 : errno;
}

static void* wait_for_it(void*) {
  char path[64];
  snprintf(path, sizeof path, "/proc/self/fd/%d", held);
  const int file = open(path, O_RDWR);
  (void)ask(file, F_OFD_SETLKW, F_WRLCK);
  return nullptr;
}

int main() {
  held = memfd_create("locked", 0);
  ask(held, F_OFD_SETLK, F_WRLCK);
  pthread_t thread;
  pthread_create(&thread, nullptr, wait_for_it, nullptr);
  pthread_cancel(thread);
  void* result = nullptr;
  pthread_join(thread, &result);
  if (result != PTHREAD_CANCELED) return 1;
  return ask(held, F_OFD_SETLK, F_UNLCK);
}
