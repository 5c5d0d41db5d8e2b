// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Ravel authors
#include "runtime/world/network.h"

#include <arpa/inet.h>
#include <netinet/in.h>
#include <string.h>
#include <sys/un.h>

#include "runtime/platform/raw.h"
#include "runtime/world/uncontrolled_calls.h"

namespace ravel::rt {

namespace {

// Ports on this machine that belong to the program. Full: the oldest goes.
constexpr std::uint32_t kPorts = 256;
std::uint16_t own_ports[kPorts];
std::uint32_t ports_seen = 0;

struct Address {
  sockaddr_storage storage = {};
  socklen_t length = sizeof storage;
  [[nodiscard]] const sockaddr* get() const { return reinterpret_cast<const sockaddr*>(&storage); }
};

bool ask(long call, int socket, Address& out) {
  return raw_syscall(call, socket, reinterpret_cast<long>(&out.storage), reinterpret_cast<long>(&out.length)) == 0;
}

bool is_internet(const sockaddr* address) {
  return address->sa_family == AF_INET || address->sa_family == AF_INET6;
}

std::uint16_t port_of(const sockaddr* address) {
  return address->sa_family == AF_INET ? reinterpret_cast<const sockaddr_in*>(address)->sin_port
                                       : reinterpret_cast<const sockaddr_in6*>(address)->sin6_port;
}

enum class Reach { kThisMachine, kAnywhere, kOtherMachine };

Reach reach_of_number(std::uint32_t number) {
  if (number == INADDR_ANY) return Reach::kAnywhere;
  return number >> 24 == 127 ? Reach::kThisMachine : Reach::kOtherMachine;
}

Reach reach_of(const sockaddr* address) {
  if (address->sa_family == AF_INET)
    return reach_of_number(ntohl(reinterpret_cast<const sockaddr_in*>(address)->sin_addr.s_addr));
  const in6_addr& six = reinterpret_cast<const sockaddr_in6*>(address)->sin6_addr;
  if (IN6_IS_ADDR_LOOPBACK(&six)) return Reach::kThisMachine;
  if (IN6_IS_ADDR_UNSPECIFIED(&six)) return Reach::kAnywhere;
  if (!IN6_IS_ADDR_V4MAPPED(&six)) return Reach::kOtherMachine;
  std::uint32_t number = 0;
  memcpy(&number, six.s6_addr + 12, sizeof number);
  return reach_of_number(ntohl(number));
}

bool is_own(const sockaddr* address) {
  if (reach_of(address) == Reach::kOtherMachine) return false;
  for (std::uint32_t i = 0; i < ports_seen && i < kPorts; ++i) {
    if (own_ports[i] == port_of(address)) return true;
  }
  return false;
}

void describe(const sockaddr* address, TextBuffer& out) {
  char number[INET6_ADDRSTRLEN] = {};
  const bool six = address->sa_family == AF_INET6;
  const void* raw = six ? static_cast<const void*>(&reinterpret_cast<const sockaddr_in6*>(address)->sin6_addr)
                        : static_cast<const void*>(&reinterpret_cast<const sockaddr_in*>(address)->sin_addr);
  inet_ntop(address->sa_family, raw, number, sizeof number);
  out.text("the network: ").text(six ? "[" : "").text(number).text(six ? "]:" : ":").decimal(ntohs(port_of(address)));
}

void name_address(const char* call, const sockaddr* address, LocationId location) {
  char text[96];
  TextBuffer out(text, sizeof text);
  describe(address, out);
  note_uncontrolled(call, text, location);
}

bool is_of_this_process(int socket) {
  ucred peer = {};
  socklen_t size = sizeof peer;
  const long result = raw_syscall(SYS_getsockopt, socket, SOL_SOCKET, SO_PEERCRED, reinterpret_cast<long>(&peer),
                                  reinterpret_cast<long>(&size));
  return result != 0 || peer.pid == 0 || peer.pid == raw_syscall(SYS_getpid);
}

}  // namespace

void note_own_address(int socket) {
  Address own;
  if (!ask(SYS_getsockname, socket, own) || !is_internet(own.get()) || port_of(own.get()) == 0) return;
  for (std::uint32_t i = 0; i < ports_seen && i < kPorts; ++i) {
    if (own_ports[i] == port_of(own.get())) return;
  }
  own_ports[ports_seen++ % kPorts] = port_of(own.get());
}

bool note_destination(const char* call, const sockaddr* address, socklen_t length, LocationId location) {
  if (address == nullptr || length < sizeof(sockaddr_in) || !is_internet(address)) return false;
  if (address->sa_family == AF_INET6 && length < sizeof(sockaddr_in6)) return false;
  if (is_own(address)) return true;
  name_address(call, address, location);
  return false;
}

void note_peer_process(const char* call, int socket, const sockaddr* address, LocationId location) {
  if (address == nullptr || address->sa_family != AF_UNIX || is_of_this_process(socket)) return;
  char text[96];
  TextBuffer out(text, sizeof text);
  const char* path = reinterpret_cast<const sockaddr_un*>(address)->sun_path;
  out.text("another process: ").text(path[0] != 0 ? path : "an abstract name");
  note_uncontrolled(call, text, location);
}

void note_source(int socket, LocationId location) {
  Address peer;
  if (ask(SYS_getpeername, socket, peer)) {
    if (is_internet(peer.get())) {
      if (!is_own(peer.get())) name_address("recv", peer.get(), location);
    } else if (peer.get()->sa_family == AF_UNIX && !is_of_this_process(socket)) {
      note_uncontrolled("recv", "a socket of another process", location);
    }
    return;
  }
  int type = 0;
  socklen_t size = sizeof type;
  raw_syscall(SYS_getsockopt, socket, SOL_SOCKET, SO_TYPE, reinterpret_cast<long>(&type),
              reinterpret_cast<long>(&size));
  Address own;
  if (type == SOCK_STREAM || !ask(SYS_getsockname, socket, own) || !is_internet(own.get())) return;
  if (reach_of(own.get()) != Reach::kThisMachine) note_uncontrolled("recv", "the network: from any address", location);
}

}  // namespace ravel::rt
