// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Ravel authors
//
// Descriptors and signals as synchronisation, in runs that are traced: what is written is given away, what is read is
// taken. A pipe is known by its inode; everything else shares one channel, so that some orders are taken for certain
// that are not: no race is invented.
#include <errno.h>
#include <poll.h>
#include <signal.h>
#include <sys/epoll.h>
#include <sys/select.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/uio.h>

#include "free/intercept/lock_calls.h"

using namespace ravel;
using namespace ravel::fr;

namespace {

// Addresses that no object has.
constexpr std::uint64_t kPipes = 1;
constexpr std::uint64_t kOthers = 2;

std::uint64_t channel_of(int descriptor) {
  const int before = errno;
  struct stat status {};
  const bool pipe = library().fstat(descriptor, &status) == 0 && S_ISFIFO(status.st_mode);
  errno = before;
  return pipe ? kPipes << 48 | (status.st_ino & 0xffff'ffff) << 4 : kOthers << 48;
}

FreeThread* traced() {
  return (g_hooks & kHookTrace) != 0 ? synchronising() : nullptr;
}

// Before it is written, since others may read it at once.
void give(int descriptor, std::uintptr_t pc) {
  FreeThread* const self = traced();
  if (self != nullptr) record(*self, OpKind::kIoWrite, channel_of(descriptor), pc, 0, __ATOMIC_RELEASE);
}

template <class Result>
Result take(int descriptor, std::uintptr_t pc, Result result) {
  FreeThread* const self = result >= 0 ? traced() : nullptr;
  if (self != nullptr) record(*self, OpKind::kIoRead, channel_of(descriptor), pc, 0, __ATOMIC_ACQUIRE);
  return result;
}

int look(std::uintptr_t pc, int result) {
  FreeThread* const self = result > 0 ? traced() : nullptr;
  if (self != nullptr) record(*self, OpKind::kIoWait, kOthers << 48, pc);
  return result;
}

}  // namespace

#define RAVEL_GIVES(result, name, parameters, ...) \
  RAVEL_FREE_EXPORT result name parameters {       \
    give(fd, RAVEL_FREE_CALLER);                   \
    return library().name(fd, __VA_ARGS__);        \
  }
#define RAVEL_TAKES(result, name, parameters, ...)                       \
  RAVEL_FREE_EXPORT result name parameters {                             \
    return take(fd, RAVEL_FREE_CALLER, library().name(fd, __VA_ARGS__)); \
  }
RAVEL_GIVES(ssize_t, write, (int fd, const void* data, size_t size), data, size)
RAVEL_GIVES(ssize_t, writev, (int fd, const iovec* parts, int count), parts, count)
RAVEL_GIVES(ssize_t, send, (int fd, const void* data, size_t size, int flags), data, size, flags)
RAVEL_GIVES(ssize_t, sendto, (int fd, const void* data, size_t size, int flags, const sockaddr* to, socklen_t length),
            data, size, flags, to, length)
RAVEL_GIVES(ssize_t, sendmsg, (int fd, const msghdr* message, int flags), message, flags)
RAVEL_GIVES(int, connect, (int fd, const sockaddr* to, socklen_t length), to, length)
RAVEL_GIVES(int, shutdown, (int fd, int how) noexcept, how)
RAVEL_TAKES(ssize_t, read, (int fd, void* data, size_t size), data, size)
RAVEL_TAKES(ssize_t, readv, (int fd, const iovec* parts, int count), parts, count)
RAVEL_TAKES(ssize_t, recv, (int fd, void* data, size_t size, int flags), data, size, flags)
RAVEL_TAKES(ssize_t, recvfrom, (int fd, void* data, size_t size, int flags, sockaddr* from, socklen_t* length), data,
            size, flags, from, length)
RAVEL_TAKES(ssize_t, recvmsg, (int fd, msghdr* message, int flags), message, flags)
RAVEL_TAKES(int, accept, (int fd, sockaddr* from, socklen_t* length), from, length)
RAVEL_TAKES(int, accept4, (int fd, sockaddr* from, socklen_t* length, int flags), from, length, flags)

RAVEL_FREE_EXPORT int close(int fd) {
  if (traced() != nullptr) give(fd, RAVEL_FREE_CALLER);
  return library().close(fd);
}

RAVEL_FREE_EXPORT int poll(pollfd* all, nfds_t count, int time) {
  return look(RAVEL_FREE_CALLER, library().poll(all, count, time));
}
RAVEL_FREE_EXPORT int select(int count, fd_set* read, fd_set* write, fd_set* other, timeval* time) {
  return look(RAVEL_FREE_CALLER, library().select(count, read, write, other, time));
}
RAVEL_FREE_EXPORT int epoll_wait(int fd, epoll_event* events, int most, int time) {
  return look(RAVEL_FREE_CALLER, library().epoll_wait(fd, events, most, time));
}

// Signals between threads: all of them through one channel.
#define RAVEL_SENDS(name, parameters, ...)                                  \
  RAVEL_FREE_EXPORT int name parameters {                                   \
    FreeThread* const self = traced();                                      \
    if (self != nullptr) {                                                  \
      record(*self, OpKind::kSignalSend, kOthers << 48, RAVEL_FREE_CALLER); \
    }                                                                       \
    return library().name(__VA_ARGS__);                                     \
  }
RAVEL_SENDS(pthread_kill, (pthread_t thread, int number) noexcept, thread, number)
RAVEL_SENDS(kill, (pid_t process, int number) noexcept, process, number)
RAVEL_SENDS(pthread_cancel, (pthread_t thread), thread)

namespace {

int waited(std::uintptr_t pc, bool done, int result) {
  FreeThread* const self = done ? traced() : nullptr;
  if (self != nullptr) record(*self, OpKind::kSignalWait, kOthers << 48, pc);
  return result;
}

}  // namespace

RAVEL_FREE_EXPORT int sigwait(const sigset_t* set, int* number) {
  const int error = library().sigwait(set, number);
  return waited(RAVEL_FREE_CALLER, error == 0, error);
}
RAVEL_FREE_EXPORT int sigwaitinfo(const sigset_t* set, siginfo_t* info) {
  const int number = library().sigwaitinfo(set, info);
  return waited(RAVEL_FREE_CALLER, number > 0, number);
}
RAVEL_FREE_EXPORT int sigtimedwait(const sigset_t* set, siginfo_t* info, const timespec* time) {
  const int number = library().sigtimedwait(set, info, time);
  return waited(RAVEL_FREE_CALLER, number > 0, number);
}
