// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Ravel authors
//
// A signal is to end a read of a pipe (no SA_RESTART). One that comes before the read has begun does not.
//
// outcomes: 2
#include <errno.h>
#include <pthread.h>
#include <ravel/ravel.h>
#include <signal.h>
#include <unistd.h>

#include <thread>

int main() {
  struct sigaction action = {};
  action.sa_handler = [](int) {};
  sigaction(SIGUSR1, &action, nullptr);
  int ends[2];
  if (pipe(ends) != 0) return 1;
  int result = 0;
  std::thread reader([&] {
    char c = 0;
    result = read(ends[0], &c, 1) < 0 ? errno : 0;
  });
  pthread_kill(reader.native_handle(), SIGUSR1);
  reader.join();
  ravel::observe("interrupted", result == EINTR);
}
