// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Ravel authors
//
// Two threads close one descriptor: in between its number may have been given to somebody else.
//
// expect: kind=misuse message=another.thread.has.closed
#include <fcntl.h>
#include <unistd.h>

#include <thread>

int main() {
  const int file = open("/dev/null", O_RDONLY);
  std::thread other([file] { close(file); });
  close(file);
  other.join();
}
