// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Ravel authors
//
// Sockets.
#include <sys/socket.h>
#include <sys/un.h>

#include "runtime/fiber/home.h"
#include "runtime/intercept/call_result.h"
#include "runtime/intercept/export.h"
#include "runtime/platform/raw.h"
#include "runtime/world/io.h"
#include "runtime/world/io_vector.h"
#include "runtime/world/network.h"

using namespace ravel;
using namespace ravel::rt;

namespace {

IoCall receiving(int socket, int flags, LocationId location) {
  return {socket, OpKind::kIoRead, POLLIN, __ATOMIC_ACQUIRE, location, (flags & MSG_DONTWAIT) != 0};
}
IoCall sending(int socket, int flags, LocationId location) {
  return {socket, OpKind::kIoWrite, POLLOUT, __ATOMIC_RELEASE, location, (flags & MSG_DONTWAIT) != 0};
}

long receive(int socket, void* buffer, std::size_t size, int flags, sockaddr* address, socklen_t* length,
             LocationId location) {
  std::size_t got = 0;
  for (;;) {
    const long result = io_operation(receiving(socket, flags, location), [&] {
      return call_for_program(SYS_recvfrom, socket, as_argument(static_cast<char*>(buffer) + got),
                              static_cast<long>(size - got), flags & ~MSG_WAITALL, as_argument(address),
                              as_argument(length));
    });
    if (result < 0) return got != 0 ? static_cast<long>(got) : result;
    got += static_cast<std::size_t>(result);
    const bool all = (flags & MSG_WAITALL) != 0 && (flags & (MSG_DONTWAIT | MSG_PEEK)) == 0;
    if (!all || result == 0 || got == size) return static_cast<long>(got);
  }
}

long send_all(int socket, const void* buffer, std::size_t size, int flags, const sockaddr* address, socklen_t length,
              LocationId location) {
  iovec one = {const_cast<void*>(buffer), size};
  note_destination("sendto", address, length, location);
  return write_vector(sending(socket, flags, location), &one, 1, [&](const iovec* part, int) {
    const long sent = call_for_program(SYS_sendto, socket, as_argument(part->iov_base),
                                       static_cast<long>(part->iov_len), flags, as_argument(address), length);
    if (address != nullptr) note_own_address(socket);
    return sent;
  });
}

long accept_one(int socket, sockaddr* address, socklen_t* length, int flags, LocationId location) {
  return io_operation(receiving(socket, 0, location), [&] {
    return call_for_program(SYS_accept4, socket, as_argument(address), as_argument(length), flags);
  });
}

}  // namespace

RAVEL_EXPORT ssize_t recv(int socket, void* buffer, std::size_t size, int flags) {
  RAVEL_PASS_THROUGH(recv, socket, buffer, size, flags);
  return as_c_result(receive(socket, buffer, size, flags, nullptr, nullptr, RAVEL_CALLER));
}

RAVEL_EXPORT ssize_t __recv_chk(int socket, void* buffer, std::size_t size, std::size_t room, int flags) {
  if (!g.in_control || size > room) return real().__recv_chk(socket, buffer, size, room, flags);
  return as_c_result(receive(socket, buffer, size, flags, nullptr, nullptr, RAVEL_CALLER));
}

RAVEL_EXPORT ssize_t recvfrom(int socket, void* buffer, std::size_t size, int flags, sockaddr* address,
                              socklen_t* length) {
  RAVEL_PASS_THROUGH(recvfrom, socket, buffer, size, flags, address, length);
  return as_c_result(receive(socket, buffer, size, flags, address, length, RAVEL_CALLER));
}

RAVEL_EXPORT ssize_t __recvfrom_chk(int socket, void* buffer, std::size_t size, std::size_t room, int flags,
                                    sockaddr* address, socklen_t* length) {
  if (!g.in_control || size > room) return real().__recvfrom_chk(socket, buffer, size, room, flags, address, length);
  return as_c_result(receive(socket, buffer, size, flags, address, length, RAVEL_CALLER));
}

RAVEL_EXPORT ssize_t recvmsg(int socket, msghdr* message, int flags) {
  RAVEL_PASS_THROUGH(recvmsg, socket, message, flags);
  return as_c_result(io_operation(receiving(socket, flags, RAVEL_CALLER),
                                  [&] { return call_for_program(SYS_recvmsg, socket, as_argument(message), flags); }));
}

RAVEL_EXPORT ssize_t send(int socket, const void* buffer, std::size_t size, int flags) {
  RAVEL_PASS_THROUGH(send, socket, buffer, size, flags);
  return as_c_result(send_all(socket, buffer, size, flags, nullptr, 0, RAVEL_CALLER));
}

RAVEL_EXPORT ssize_t sendto(int socket, const void* buffer, std::size_t size, int flags, const sockaddr* address,
                            socklen_t length) {
  RAVEL_PASS_THROUGH(sendto, socket, buffer, size, flags, address, length);
  return as_c_result(send_all(socket, buffer, size, flags, address, length, RAVEL_CALLER));
}

RAVEL_EXPORT ssize_t sendmsg(int socket, const msghdr* message, int flags) {
  RAVEL_PASS_THROUGH(sendmsg, socket, message, flags);
  if (message->msg_iovlen > static_cast<std::size_t>(kMaxParts)) return as_c_result(-EMSGSIZE);
  msghdr rest = *message;
  return as_c_result(write_vector(sending(socket, flags, RAVEL_CALLER), message->msg_iov,
                                  static_cast<int>(message->msg_iovlen), [&](const iovec* parts, int count) {
                                    rest.msg_iov = const_cast<iovec*>(parts);
                                    rest.msg_iovlen = static_cast<std::size_t>(count);
                                    const long result =
                                        call_for_program(SYS_sendmsg, socket, as_argument(&rest), flags);
                                    if (result > 0) rest.msg_controllen = 0;  // sent with the first part
                                    return result;
                                  }));
}

RAVEL_EXPORT int accept(int socket, sockaddr* address, socklen_t* length) {
  RAVEL_PASS_THROUGH(accept, socket, address, length);
  return static_cast<int>(as_c_result(accept_one(socket, address, length, 0, RAVEL_CALLER)));
}

RAVEL_EXPORT int accept4(int socket, sockaddr* address, socklen_t* length, int flags) {
  RAVEL_PASS_THROUGH(accept4, socket, address, length, flags);
  return static_cast<int>(as_c_result(accept_one(socket, address, length, flags, RAVEL_CALLER)));
}

RAVEL_EXPORT int connect(int socket, const sockaddr* address, socklen_t length) {
  RAVEL_PASS_THROUGH(connect, socket, address, length);
  const LocationId location = RAVEL_CALLER;
  IoCall call = {socket, OpKind::kIoWrite, POLLOUT, __ATOMIC_ACQ_REL, location};
  call.goes_on_alone = true;
  bool under_way = false;
  const bool own = note_destination("connect", address, length, location);
  long connected = io_operation(call, [&]() -> long {
    // The system connects to a socket of this machine at once, or as good as: chance shall not show.
    constexpr long kPatience = 100;
    if (!under_way) {
      const long result = call_for_program(SYS_connect, socket, as_argument(address), length);
      note_own_address(socket);
      if (result != -EINPROGRESS) return result;
      under_way = true;
      pollfd one = {socket, POLLOUT, 0};
      const bool done = own && raw_syscall(SYS_poll, as_argument(&one), 1, kPatience) > 0;
      if (!done) return -EAGAIN;
    }
    int error = 0;
    socklen_t size = sizeof error;
    call_for_program(SYS_getsockopt, socket, SOL_SOCKET, SO_ERROR, as_argument(&error), as_argument(&size));
    return -error;
  });
  if (connected == -EAGAIN && under_way) connected = -EINPROGRESS;
  if (connected == 0) note_peer_process("connect", socket, address, location);
  return static_cast<int>(as_c_result(connected));
}

RAVEL_EXPORT int bind(int socket, const sockaddr* address, socklen_t length) noexcept {
  const long result = call_for_program(SYS_bind, socket, as_argument(address), length);
  if (result == 0 && g.in_control) note_own_address(socket);
  return static_cast<int>(as_c_result(result));
}

RAVEL_EXPORT int shutdown(int socket, int how) noexcept {
  RAVEL_PASS_THROUGH(shutdown, socket, how);
  const IoCall call = {socket, OpKind::kIoClose, 0, __ATOMIC_RELEASE, RAVEL_CALLER};
  return static_cast<int>(as_c_result(io_operation(call, [&] { return call_for_program(SYS_shutdown, socket, how); })));
}

RAVEL_EXPORT int socket(int domain, int type, int protocol) noexcept {
  if (g.in_control) note_outside();
  return static_cast<int>(as_c_result(call_for_program(SYS_socket, domain, type, protocol)));
}

RAVEL_EXPORT int socketpair(int domain, int type, int protocol, int* ends) noexcept {
  const long result = call_for_program(SYS_socketpair, domain, type, protocol, as_argument(ends));
  if (result == 0 && g.in_control) note_own_pair(ends[0], ends[1]);
  return static_cast<int>(as_c_result(result));
}
