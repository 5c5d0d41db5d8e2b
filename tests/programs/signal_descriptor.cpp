// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Ravel authors
//
// A loop around poll that learns of signals through a descriptor, as event loops do.
//
// expect: clean
// operations: kill,io-wait,io-read
#include <poll.h>
#include <signal.h>
#include <sys/signalfd.h>
#include <unistd.h>

#include <cassert>
#include <thread>

int main() {
  sigset_t set;
  sigemptyset(&set);
  sigaddset(&set, SIGTERM);
  sigaddset(&set, SIGUSR1);
  assert(pthread_sigmask(SIG_BLOCK, &set, nullptr) == 0);
  const int signals = signalfd(-1, &set, SFD_CLOEXEC);
  assert(signals >= 0);
  int prepared = 0;
  std::thread loop([&] {
    int seen = 0;
    for (bool stopped = false; !stopped;) {
      pollfd one = {signals, POLLIN, 0};
      assert(poll(&one, 1, -1) == 1);
      signalfd_siginfo info = {};
      assert(read(signals, &info, sizeof info) == sizeof info);
      assert(prepared == 4);
      ++seen;
      stopped = info.ssi_signo == SIGTERM;
    }
    assert(seen >= 1);
  });
  prepared = 4;
  assert(kill(getpid(), SIGUSR1) == 0);
  assert(kill(getpid(), SIGTERM) == 0);
  loop.join();
  close(signals);
  return 0;
}
