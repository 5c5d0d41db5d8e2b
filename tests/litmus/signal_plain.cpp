// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Ravel authors
//
// A handler comes between the read and the write of an increment of the thread that it interrupts: an update is lost
// although one thread alone touches the variable. The handler may also come before it, after it, or not at all when the
// thread has ended.
//
// outcomes: 2
#include <pthread.h>
#include <ravel/ravel.h>
#include <signal.h>

#include <thread>

static volatile int count = 0;
static volatile int handled = 0;

int main() {
  signal(SIGUSR1, [](int) {
    count = count + 10;
    handled = 1;
  });
  std::thread worker([] {
    const int before = count;
    count = before + 1;
    sigset_t all;
    sigfillset(&all);
    pthread_sigmask(SIG_BLOCK, &all, nullptr);
  });
  pthread_kill(worker.native_handle(), SIGUSR1);
  worker.join();
  ravel::observe("lost", handled == 1 && count != 11);
}
