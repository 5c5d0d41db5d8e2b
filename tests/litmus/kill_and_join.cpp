// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Ravel authors
//
// One thread sends a signal to another, which main joins meanwhile: it is handled, or comes too late, or there is
// nobody any more.
//
// outcomes: 3
#include <pthread.h>
#include <ravel/ravel.h>
#include <signal.h>

#include <atomic>

static std::atomic<int> handled{0};
static pthread_t target;

static void on_signal(int) {
  handled.store(1);
}
static void* nothing(void*) {
  return nullptr;
}
static void* send(void* result) {
  *static_cast<int*>(result) = pthread_kill(target, SIGUSR1);
  return nullptr;
}

int main() {
  signal(SIGUSR1, on_signal);
  int result = 0;
  pthread_t sender;
  pthread_create(&target, nullptr, nothing, nullptr);
  pthread_create(&sender, nullptr, send, &result);
  pthread_join(target, nullptr);
  pthread_join(sender, nullptr);
  ravel::observe("handled", handled.load());
  ravel::observe("result", result);
}
