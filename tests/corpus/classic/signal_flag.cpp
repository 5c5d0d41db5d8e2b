// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Ravel authors
//
// signal_flag: a handler of a signal counts requests, which a loop looks at and then clears: a request between the look
// and the clearing is lost.
#include <pthread.h>
#include <semaphore.h>

#include <atomic>
#include <cassert>
#include <csignal>

namespace {

std::atomic<int> requests{0};
int handled = 0;
sem_t sent;

void on_signal(int) {
  requests.fetch_add(1);
}

void* loop(void*) {
  for (int i = 0; i < 2; ++i) {
#ifdef FIXED
    handled += requests.exchange(0);
#else
    const int seen = requests.load();
    requests.store(0);
    handled += seen;
#endif
  }
  while (sem_wait(&sent) != 0) {
  }
  return nullptr;
}

}  // namespace

int main() {
  struct sigaction action = {};
  action.sa_handler = on_signal;
  sigaction(SIGUSR1, &action, nullptr);
  sem_init(&sent, 0, 0);
  pthread_t thread;
  pthread_create(&thread, nullptr, loop, nullptr);
  pthread_kill(thread, SIGUSR1);
  requests.fetch_add(1);
  sem_post(&sent);
  pthread_join(thread, nullptr);
  assert(handled + requests.load() == 2);
}
