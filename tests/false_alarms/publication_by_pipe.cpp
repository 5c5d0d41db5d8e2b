// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Ravel authors
//
// Plain data published by the bytes that say so: a pipe, a socket pair and an event descriptor.
//
// expect: clean
#include <sys/eventfd.h>
#include <sys/socket.h>
#include <unistd.h>

#include <cassert>
#include <cstdint>
#include <thread>

int main() {
  int data = 0;
  int ends[2];
  assert(pipe(ends) == 0);
  std::thread writer([&] {
    data = 1;
    const char go = 'g';
    assert(write(ends[1], &go, 1) == 1);
  });
  char seen = 0;
  assert(read(ends[0], &seen, 1) == 1);
  assert(data == 1);
  writer.join();
  close(ends[0]);
  close(ends[1]);

  assert(socketpair(AF_UNIX, SOCK_STREAM, 0, ends) == 0);
  std::thread sender([&] {
    data = 2;
    assert(send(ends[0], "x", 1, 0) == 1);
  });
  assert(recv(ends[1], &seen, 1, 0) == 1);
  assert(data == 2);
  sender.join();
  close(ends[0]);
  close(ends[1]);

  const int event = eventfd(0, 0);
  std::thread poster([&] {
    data = 3;
    const std::uint64_t one = 1;
    assert(write(event, &one, sizeof one) == sizeof one);
  });
  std::uint64_t count = 0;
  assert(read(event, &count, sizeof count) == sizeof count);
  assert(data == 3);
  poster.join();
  close(event);
  return 0;
}
