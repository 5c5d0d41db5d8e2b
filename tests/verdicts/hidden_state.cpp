// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Ravel authors
//
// State of the C library and the kernel that threads share: whoever calls first gets the first pseudo-random number,
// the lower key and the lower descriptor, and the environment is as others have left it.
//
// expect: clean
// outcomes: n=0 seen=0 | n=0 seen=1 | n=1 seen=0 | n=1 seen=1 | n=2 seen=0 | n=2 seen=1 | n=3 seen=0 | n=3 seen=1
#include <fcntl.h>
#include <pthread.h>
#include <ravel/ravel.h>

#include <cstdlib>

static int number = 0;
static pthread_key_t key = 0;
static int descriptor = 0;

static void* worker(void*) {
  setenv("RAVEL_VERDICT", "1", 1);
  number = rand();
  pthread_key_create(&key, nullptr);
  descriptor = open("/dev/null", O_RDONLY);
  return nullptr;
}

int main() {
  srand(1);
  const int drawn = rand();
  const int next = rand();
  srand(1);
  pthread_t thread;
  pthread_create(&thread, nullptr, worker, nullptr);
  const bool seen = getenv("RAVEL_VERDICT") != nullptr;
  const int mine = rand();
  pthread_key_t my_key = 0;
  pthread_key_create(&my_key, nullptr);
  const int my_descriptor = open("/dev/null", O_RDONLY);
  pthread_join(thread, nullptr);
  if ((mine != drawn || number != next) && (mine != next || number != drawn)) return 1;
  ravel::observe("seen", seen ? 1 : 0);
  // How many of the three the worker got first.
  ravel::observe("n", (number == drawn ? 1 : 0) + (key < my_key ? 1 : 0) + (descriptor < my_descriptor ? 1 : 0));
}
