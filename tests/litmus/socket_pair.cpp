// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Ravel authors
//
// Two senders on a pair of sockets, and a reader that takes what there is.
//
// outcomes: 4
#include <ravel/ravel.h>
#include <sys/socket.h>
#include <unistd.h>

#include <string>
#include <thread>

int main() {
  int ends[2];
  if (socketpair(AF_UNIX, SOCK_STREAM, 0, ends) != 0) return 1;
  std::thread a([&] { (void)!send(ends[1], "a", 1, 0); });
  std::thread b([&] { (void)!send(ends[1], "b", 1, 0); });
  char text[3] = {};
  (void)!recv(ends[0], text, 2, 0);
  a.join();
  b.join();
  ravel::observe("text", text);
}
