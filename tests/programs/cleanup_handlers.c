// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Ravel authors
//
// Cleanup handlers in C, where they are no destructors: run from the inside out by cancellation and by pthread_exit.
//
// expect: clean
// operations: cancel,cancelled
#include <assert.h>
#include <pthread.h>
#include <semaphore.h>
#include <stddef.h>

static sem_t started;
static sem_t never;
static int order[4];
static int used = 0;

static void note(void* argument) {
  order[used++] = *(int*)argument;
}

static void inner(void) {
  static int three = 3;
  pthread_cleanup_push(note, &three);
  sem_post(&started);
  sem_wait(&never);
  pthread_cleanup_pop(0);
}

static void* waits(void* argument) {
  static int one = 1;
  static int two = 2;
  (void)argument;
  pthread_cleanup_push(note, &one);
  pthread_cleanup_push(note, &two);
  inner();
  pthread_cleanup_pop(0);
  pthread_cleanup_pop(0);
  return NULL;
}

static void* passes_by(void* argument) {
  sem_post(argument);
  return NULL;
}

static void* leaves(void* argument) {
  static int four = 4;
  pthread_cleanup_push(note, &four);
  pthread_exit(argument);
  pthread_cleanup_pop(0);
  return NULL;
}

int main(void) {
  pthread_t thread;
  void* result = NULL;
  sem_init(&started, 0, 0);
  sem_init(&never, 0, 0);
  assert(pthread_create(&thread, NULL, waits, NULL) == 0);
  pthread_t other;
  assert(pthread_create(&other, NULL, passes_by, &started) == 0);
  sem_wait(&started);
  sem_wait(&started);
  assert(pthread_join(other, NULL) == 0);
  assert(pthread_cancel(thread) == 0);
  assert(pthread_join(thread, &result) == 0);
  assert(result == PTHREAD_CANCELED);
  assert(used == 3 && order[0] == 3 && order[1] == 2 && order[2] == 1);
  assert(pthread_create(&thread, NULL, leaves, &used) == 0);
  assert(pthread_join(thread, &result) == 0);
  assert(result == &used);
  assert(used == 4 && order[3] == 4);
  return 0;
}
