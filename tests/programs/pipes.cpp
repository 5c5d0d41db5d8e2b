// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Ravel authors
//
// Threads that talk through pipes: ping-pong, a writer that fills the pipe, readers that share one, an event descriptor
// as semaphore, and the end of file when the last writer closes. What was written before is seen after the read.
//
// expect: clean
// operations: io-read,io-write,io-close
#include <fcntl.h>
#include <sys/eventfd.h>
#include <sys/uio.h>
#include <unistd.h>

#include <cassert>
#include <cerrno>
#include <cstdint>
#include <thread>
#include <vector>

static int shared = 0;

static void ping_pong() {
  int there[2];
  int back[2];
  assert(pipe(there) == 0 && pipe(back) == 0);
  constexpr int kRounds = 3;
  std::thread other([&] {
    char c = 0;
    for (int i = 0; i < kRounds; ++i) {
      assert(read(there[0], &c, 1) == 1);
      assert(shared == 2 * i + 1);
      ++shared;
      assert(write(back[1], &c, 1) == 1);
    }
    close(back[1]);
  });
  char c = 'x';
  for (int i = 0; i < kRounds; ++i) {
    ++shared;
    assert(write(there[1], &c, 1) == 1);
    assert(read(back[0], &c, 1) == 1);
    assert(shared == 2 * i + 2);
  }
  assert(read(back[0], &c, 1) == 0);  // closed
  assert((fcntl(there[0], F_GETFL) & O_NONBLOCK) == 0);
  other.join();
  close(there[0]);
  close(there[1]);
  close(back[0]);
}

static void fill() {
  int ends[2];
  assert(pipe(ends) == 0);
  const std::vector<char> data(150'000, 'd');  // more than a pipe holds
  std::thread writer([&] {
    iovec parts[2] = {{const_cast<char*>(data.data()), 100'000}, {const_cast<char*>(data.data()) + 100'000, 50'000}};
    assert(writev(ends[1], parts, 2) == 150'000);
    close(ends[1]);
  });
  std::vector<char> buffer(65'536);
  std::size_t got = 0;
  for (ssize_t n = 0; (n = read(ends[0], buffer.data(), buffer.size())) > 0;) got += static_cast<std::size_t>(n);
  assert(got == data.size());
  writer.join();
  close(ends[0]);
}

static void event_semaphore() {
  const int event = eventfd(0, EFD_SEMAPHORE);
  assert(event >= 0);
  int sum = 0;
  std::thread first([&] {
    std::uint64_t one = 0;
    assert(read(event, &one, sizeof one) == sizeof one && one == 1);
  });
  std::thread second([&] {
    eventfd_t one = 0;
    assert(eventfd_read(event, &one) == 0 && one == 1);
  });
  sum = 2;
  assert(eventfd_write(event, 2) == 0);
  first.join();
  second.join();
  const int nonblocking = eventfd(0, EFD_NONBLOCK);
  std::uint64_t value = 0;
  assert(read(nonblocking, &value, sizeof value) == -1 && errno == EAGAIN);
  close(event);
  close(nonblocking);
  assert(sum == 2);
}

int main() {
  ping_pong();
  fill();
  event_semaphore();
  return 0;
}
