// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Ravel authors
//
// A detached thread that signals a global condition variable at its end.
//
// outcomes: 1
#include <pthread.h>
#include <ravel/ravel.h>

#include <thread>

static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t condition = PTHREAD_COND_INITIALIZER;
static int done = 0;

int main() {
  std::thread([] {
    pthread_mutex_lock(&mutex);
    done = 1;
    pthread_cond_signal(&condition);
    pthread_mutex_unlock(&mutex);
  }).detach();
  pthread_mutex_lock(&mutex);
  while (done == 0) pthread_cond_wait(&condition, &mutex);
  pthread_mutex_unlock(&mutex);
  ravel::observe("done", done);
}
