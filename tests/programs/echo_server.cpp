// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Ravel authors
//
// A server around epoll with non-blocking sockets, and clients that block, over TCP; then a pair of sockets with
// messages. The pointer in an epoll event carries what was set up before epoll_ctl.
//
// expect: clean
// operations: io-wait,io-read,io-write,io-close
#include <fcntl.h>
#include <netinet/in.h>
#include <sys/epoll.h>
#include <sys/eventfd.h>
#include <sys/socket.h>
#include <unistd.h>

#include <cassert>
#include <cerrno>
#include <cstring>
#include <thread>

struct Connection {
  int socket;
  int echoed;
};

static void watch(int epoll, int descriptor, void* data) {
  epoll_event event = {};
  event.events = EPOLLIN;
  event.data.ptr = data;
  assert(epoll_ctl(epoll, EPOLL_CTL_ADD, descriptor, &event) == 0);
}

static void serve(int listener, int epoll, int stop, int clients) {
  Connection connections[4] = {};
  int used = 0;
  int ended = 0;
  bool stopped = false;
  watch(epoll, listener, &listener);
  watch(epoll, stop, &stop);
  while (!stopped || ended < clients) {
    epoll_event events[4];
    const int n = epoll_wait(epoll, events, 4, 60'000);
    assert(n > 0);
    for (int i = 0; i < n; ++i) {
      if (events[i].data.ptr == &listener) {
        const int accepted = accept4(listener, nullptr, nullptr, SOCK_NONBLOCK);
        assert(accepted >= 0);
        connections[used] = {accepted, 0};
        watch(epoll, accepted, &connections[used++]);
        continue;
      }
      if (events[i].data.ptr == &stop) {
        eventfd_t value = 0;
        assert(eventfd_read(stop, &value) == 0);
        stopped = true;
        continue;
      }
      auto& connection = *static_cast<Connection*>(events[i].data.ptr);
      char buffer[16];
      const ssize_t got = recv(connection.socket, buffer, sizeof buffer, 0);
      if (got == 0) {
        assert(connection.echoed > 0);
        assert(close(connection.socket) == 0);
        ++ended;
      } else if (got > 0) {
        connection.echoed += static_cast<int>(got);
        assert(send(connection.socket, buffer, static_cast<std::size_t>(got), 0) == got);
      } else {
        assert(errno == EAGAIN);
      }
    }
  }
}

static void ask(const sockaddr_in& address) {
  const int client = socket(AF_INET, SOCK_STREAM, 0);
  assert(connect(client, reinterpret_cast<const sockaddr*>(&address), sizeof address) == 0);
  char answer[6] = {};
  assert(send(client, "hello", 5, 0) == 5);
  assert(recv(client, answer, 5, MSG_WAITALL) == 5);
  assert(std::strcmp(answer, "hello") == 0);
  assert(close(client) == 0);
}

static void messages() {
  int pair[2];
  assert(socketpair(AF_UNIX, SOCK_SEQPACKET, 0, pair) == 0);
  int value = 0;
  std::thread other([&] {
    char buffer[32];
    iovec part = {buffer, sizeof buffer};
    msghdr message = {};
    message.msg_iov = &part;
    message.msg_iovlen = 1;
    assert(recvmsg(pair[1], &message, 0) == 3);
    value = 7;
    assert(sendmsg(pair[1], &message, 0) == 32);
    assert(shutdown(pair[1], SHUT_RDWR) == 0);
  });
  char buffer[32];
  assert(write(pair[0], "abc", 3) == 3);
  assert(read(pair[0], buffer, sizeof buffer) == 32);
  assert(value == 7);
  assert(read(pair[0], buffer, sizeof buffer) == 0);
  other.join();
  close(pair[0]);
  close(pair[1]);
}

int main() {
  const int listener = socket(AF_INET, SOCK_STREAM, 0);
  sockaddr_in address = {};
  address.sin_family = AF_INET;
  address.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
  assert(bind(listener, reinterpret_cast<sockaddr*>(&address), sizeof address) == 0);
  socklen_t length = sizeof address;
  assert(getsockname(listener, reinterpret_cast<sockaddr*>(&address), &length) == 0);
  assert(listen(listener, 8) == 0);
  const int epoll = epoll_create1(0);
  const int stop = eventfd(0, 0);
  std::thread server([&] { serve(listener, epoll, stop, 2); });
  std::thread first([&] { ask(address); });
  std::thread second([&] { ask(address); });
  first.join();
  second.join();
  assert(eventfd_write(stop, 1) == 0);
  server.join();
  messages();
  return 0;
}
