// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Ravel authors
//
// Loops around poll, ppoll and select over two pipes, with time-outs that pass in virtual time.
//
// expect: clean
// operations: io-wait,io-read,io-write
#include <poll.h>
#include <sys/select.h>
#include <unistd.h>

#include <cassert>
#include <chrono>
#include <thread>

using Clock = std::chrono::steady_clock;

static int sum_of(int first, int second) {
  int open = 2;
  int sum = 0;
  pollfd both[2] = {{first, POLLIN, 0}, {second, POLLIN, 0}};
  while (open != 0) {
    assert(poll(both, 2, -1) > 0);
    for (pollfd& one : both) {
      if (one.revents == 0) continue;
      int value = 0;
      const ssize_t n = read(one.fd, &value, sizeof value);
      if (n == sizeof value) {
        sum += value;
      } else {
        assert(n == 0);
        one.fd = -1;
        --open;
      }
    }
  }
  return sum;
}

static void send_some(int end, int value) {
  for (int i = 0; i < 2; ++i) assert(write(end, &value, sizeof value) == sizeof value);
  close(end);
}

static void wait_with_select(int end) {
  fd_set set;
  FD_ZERO(&set);
  FD_SET(end, &set);
  timeval hour = {3600, 0};
  assert(select(end + 1, &set, nullptr, nullptr, &hour) == 1);
  assert(FD_ISSET(end, &set));
}

int main() {
  int a[2];
  int b[2];
  int c[2];
  assert(pipe(a) == 0 && pipe(b) == 0 && pipe(c) == 0);
  std::thread first([&] { send_some(a[1], 1); });
  std::thread second([&] { send_some(b[1], 10); });
  assert(sum_of(a[0], b[0]) == 22);
  first.join();
  second.join();

  // Nobody writes: an hour passes at once.
  const auto start = Clock::now();
  pollfd quiet = {c[0], POLLIN, 0};
  std::thread sleeper([] { std::this_thread::sleep_for(std::chrono::minutes(10)); });
  assert(poll(&quiet, 1, 3'600'000) == 0);
  assert(quiet.revents == 0);
  assert(Clock::now() - start >= std::chrono::hours(1));
  const timespec second_long = {1, 0};
  assert(ppoll(&quiet, 1, &second_long, nullptr) == 0);
  assert(poll(&quiet, 1, 0) == 0);
  sleeper.join();

  std::thread writer([&] { assert(write(c[1], "x", 1) == 1); });
  wait_with_select(c[0]);
  writer.join();
  fd_set set;
  FD_ZERO(&set);
  FD_SET(c[1], &set);
  assert(select(c[1] + 1, nullptr, &set, nullptr, nullptr) == 1);
  return 0;
}
