// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Ravel authors
//
// In C and compiled with -fexceptions: the cleanup attribute then uses libgcc's personality routine, so that the
// runtime needs no C++ library to be unwound through.
#include <pthread.h>

extern __attribute__((visibility("hidden"))) void ravel_once_undo(pthread_once_t* control, unsigned location);

struct attempt {
  pthread_once_t* control;
  unsigned location;
  int failed;
};

static void undo(struct attempt* attempt) {
  if (attempt->failed) ravel_once_undo(attempt->control, attempt->location);
}

__attribute__((visibility("hidden"))) void ravel_once_call(pthread_once_t* control, unsigned location,
                                                           void (*initialiser)(void)) {
  __attribute__((cleanup(undo))) struct attempt attempt = {control, location, 1};
  initialiser();
  attempt.failed = 0;
}
