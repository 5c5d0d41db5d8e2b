// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Ravel authors
//
// gettid depends on who created the thread, not on the order in which two threads create others.
//
// expect: clean
// outcomes: same=1
#include <pthread.h>
#include <ravel/ravel.h>
#include <signal.h>
#include <sys/syscall.h>
#include <unistd.h>

#include <cassert>
#include <cerrno>

static pid_t numbers[2];

static void* grandchild(void* number) {
  *static_cast<pid_t*>(number) = gettid();
  return nullptr;
}

static void* child(void* number) {
  pthread_t thread;
  pthread_create(&thread, nullptr, grandchild, number);
  pthread_join(thread, nullptr);
  return nullptr;
}

int main() {
  pthread_t threads[2];
  for (int i = 0; i < 2; ++i) pthread_create(&threads[i], nullptr, child, &numbers[i]);
  for (const pthread_t one : threads) pthread_join(one, nullptr);
  assert(tgkill(getpid(), numbers[0], 0) == -1 && errno == ESRCH);
  const pid_t main_thread = gettid();
  ravel::observe("same", numbers[0] == main_thread + 257 && numbers[1] == main_thread + 513 ? 1 : 0);
}
