// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Ravel authors
// C that is no C++: a pointer from malloc without a cast, a variable named `new`. One lock is missing.
// expect: RW 3 MM 0 WM 0 WN 0 classes 1
#include <pthread.h>
#include <stdlib.h>
struct counter {
  pthread_mutex_t mutex;
  int value;
};
static void* work(void* argument) {
  struct counter* new = argument;
  new->value += 1;
  return NULL;
}
int main(void) {
  struct counter* shared = malloc(sizeof *shared);
  pthread_mutex_init(&shared->mutex, NULL);
  shared->value = 0;
  pthread_t thread;
  pthread_create(&thread, NULL, work, shared);
  pthread_mutex_lock(&shared->mutex);
  shared->value += 1;
  pthread_mutex_unlock(&shared->mutex);
  pthread_join(thread, NULL);
  free(shared);
  return 0;
}
