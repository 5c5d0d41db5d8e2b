// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Ravel authors
//
// A cancelled read has taken nothing out of the pipe.
//
// expect: clean
// outcomes: cancelled=0 left=0 | cancelled=1 left=1
#include <fcntl.h>
#include <pthread.h>
#include <ravel/ravel.h>
#include <unistd.h>

#include <atomic>
#include <cassert>

static int ends[2];
static std::atomic<int> x{0};

static void* reader(void*) {
  char c = 0;
  assert(read(ends[0], &c, 1) == 1);
  pthread_setcancelstate(PTHREAD_CANCEL_DISABLE, nullptr);
  x.fetch_add(1);
  return nullptr;
}

int main() {
  assert(pipe(ends) == 0);
  pthread_t thread;
  pthread_create(&thread, nullptr, reader, nullptr);
  assert(write(ends[1], "x", 1) == 1);
  pthread_cancel(thread);
  void* result = nullptr;
  pthread_join(thread, &result);
  assert(fcntl(ends[0], F_SETFL, O_NONBLOCK) == 0);
  char c = 0;
  ravel::observe("left", read(ends[0], &c, 1) == 1 ? 1 : 0);
  ravel::observe("cancelled", result == PTHREAD_CANCELED ? 1 : 0);
}
