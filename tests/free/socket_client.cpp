// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Ravel authors
//
// A client of a server outside: each of two threads sends numbers to the port in the first argument and adds up what
// comes back.
#include <arpa/inet.h>
#include <netinet/in.h>
#include <sys/socket.h>
#include <unistd.h>

#include <cstdio>
#include <cstdlib>
#include <mutex>
#include <thread>

std::mutex lock;
long total;

static void ask(int port, int from) {
  const int fd = socket(AF_INET, SOCK_STREAM, 0);
  sockaddr_in to{};
  to.sin_family = AF_INET;
  to.sin_port = htons(static_cast<unsigned short>(port));
  to.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
  if (connect(fd, reinterpret_cast<sockaddr*>(&to), sizeof to) != 0) std::exit(4);
  for (unsigned char i = 0; i < 10; ++i) {
    unsigned char byte = static_cast<unsigned char>(from + i);
    if (send(fd, &byte, 1, 0) != 1 || recv(fd, &byte, 1, 0) != 1) std::exit(5);
    const std::lock_guard hold(lock);
    total += byte;
  }
  close(fd);
}

int main(int, char** argv) {
  const int port = std::atoi(argv[1]);
  std::thread a(ask, port, 0);
  std::thread b(ask, port, 100);
  a.join();
  b.join();
  std::printf("%ld\n", total);
  return 3;
}
