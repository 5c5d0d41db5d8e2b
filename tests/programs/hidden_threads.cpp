// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Ravel authors
//
// Asynchronous input and output is done by threads of the C library: it works, and the output says that they are not
// controlled. A notification on such a thread is refused.
//
// expect: clean
// iterations: 100
// note: aio, getaddrinfo_a or mq_notify was used
// operations: create,join
#include <aio.h>
#include <unistd.h>

#include <atomic>
#include <cassert>
#include <cerrno>
#include <cstdio>
#include <thread>

static std::atomic<int> counter{0};

int main() {
  std::thread first([] { ++counter; });
  std::thread second([] { ++counter; });
  std::FILE* file = std::tmpfile();
  assert(file != nullptr && std::fputs("text", file) >= 0 && std::fflush(file) == 0);
  char buffer[8] = {};
  aiocb request = {};
  request.aio_fildes = fileno(file);
  request.aio_buf = buffer;
  request.aio_nbytes = sizeof buffer;
  request.aio_sigevent.sigev_notify = SIGEV_NONE;
  assert(aio_read(&request) == 0);
  const aiocb* list[] = {&request};
  while (aio_error(&request) == EINPROGRESS) aio_suspend(list, 1, nullptr);
  assert(aio_return(&request) == 4);
  request.aio_sigevent.sigev_notify = SIGEV_THREAD;
  assert(aio_read(&request) == -1 && errno == ENOTSUP);
  first.join();
  second.join();
  return counter == 2 ? 0 : 1;
}
