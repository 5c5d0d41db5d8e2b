// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Ravel authors
//
// Sockets by argument: "inside" between threads of this program (TCP, datagrams, a name in the file system), "away" to
// an address that nobody has, "port N" to another program on this machine, "path P" the same by a name in the file
// system, "open" datagrams that anybody may send.
#include <arpa/inet.h>
#include <fcntl.h>
#include <netinet/in.h>
#include <sys/socket.h>
#include <sys/un.h>
#include <unistd.h>

#include <atomic>
#include <cassert>
#include <cstdlib>
#include <cstring>
#include <string>
#include <thread>

namespace {

std::atomic<int> turns{0};

sockaddr_in address_of(std::uint32_t host, std::uint16_t port) {
  sockaddr_in address = {};
  address.sin_family = AF_INET;
  address.sin_addr.s_addr = htonl(host);
  address.sin_port = htons(port);
  return address;
}

sockaddr_un address_of(const std::string& path) {
  sockaddr_un address = {};
  address.sun_family = AF_UNIX;
  std::strncpy(address.sun_path, path.c_str(), sizeof address.sun_path - 1);
  return address;
}

template <class Address>
const sockaddr* plain(const Address& address) {
  return reinterpret_cast<const sockaddr*>(&address);
}

// One client and one server thread; `address` is where the server listens.
template <class Address>
void talk(int family, const Address& wanted) {
  const int listener = socket(family, SOCK_STREAM, 0);
  assert(bind(listener, plain(wanted), sizeof wanted) == 0 && listen(listener, 4) == 0);
  Address address = {};
  socklen_t length = sizeof address;
  assert(getsockname(listener, reinterpret_cast<sockaddr*>(&address), &length) == 0);
  std::thread server([&] {
    const int peer = accept(listener, nullptr, nullptr);
    char byte = 0;
    assert(peer >= 0 && read(peer, &byte, 1) == 1 && write(peer, &byte, 1) == 1);
    close(peer);
  });
  const int client = socket(family, SOCK_STREAM, 0);
  char byte = 'x';
  assert(connect(client, plain(address), length) == 0);
  assert(send(client, &byte, 1, 0) == 1 && recv(client, &byte, 1, 0) == 1 && byte == 'x');
  server.join();
  close(client);
  close(listener);
}

void datagrams(std::uint32_t host) {
  const int receiver = socket(AF_INET, SOCK_DGRAM, 0);
  sockaddr_in address = address_of(host, 0);
  socklen_t length = sizeof address;
  assert(bind(receiver, plain(address), sizeof address) == 0);
  assert(getsockname(receiver, reinterpret_cast<sockaddr*>(&address), &length) == 0);
  address.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
  std::thread sender([&] {
    const int from = socket(AF_INET, SOCK_DGRAM, 0);
    assert(sendto(from, "x", 1, 0, plain(address), sizeof address) == 1);
    close(from);
  });
  char byte = 0;
  assert(recv(receiver, &byte, 1, 0) == 1);
  sender.join();
  close(receiver);
}

template <class Address>
void read_from(int family, const Address& address) {
  const int client = socket(family, SOCK_STREAM, 0);
  char byte = 0;
  assert(connect(client, plain(address), sizeof address) == 0 && recv(client, &byte, 1, 0) == 1);
  close(client);
}

}  // namespace

int main(int argc, char** argv) {
  const std::string what = argc > 1 ? argv[1] : "inside";
  std::thread other([] { ++turns; });
  ++turns;
  if (what == "inside") {
    talk(AF_INET, address_of(INADDR_LOOPBACK, 0));
    const std::string path = argc > 2 ? argv[2] : "inside.socket";
    unlink(path.c_str());
    talk(AF_UNIX, address_of(path));
    unlink(path.c_str());
    datagrams(INADDR_LOOPBACK);
  } else if (what == "open") {
    datagrams(INADDR_ANY);
  } else if (what == "away") {
    const int client = socket(AF_INET, SOCK_STREAM | SOCK_NONBLOCK, 0);
    (void)connect(client, plain(address_of(0xc0000201, 80)), sizeof(sockaddr_in));  // 192.0.2.1, set aside for examples
    close(client);
  } else if (what == "port") {
    read_from(AF_INET, address_of(INADDR_LOOPBACK, static_cast<std::uint16_t>(std::atoi(argv[2]))));
  } else if (what == "path") {
    read_from(AF_UNIX, address_of(argv[2]));
  }
  other.join();
  return 0;
}
