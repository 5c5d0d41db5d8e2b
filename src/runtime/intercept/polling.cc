// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Ravel authors
//
// Waiting for several descriptors: poll, select, epoll. Time-outs are of the virtual clock.
#include <poll.h>
#include <sys/epoll.h>
#include <sys/select.h>

#include "runtime/fiber/home.h"
#include "runtime/intercept/call_result.h"
#include "runtime/intercept/export.h"
#include "runtime/intercept/signal_sets.h"
#include "runtime/platform/raw.h"
#include "runtime/schedule/clock.h"
#include "runtime/sync/time_wait.h"
#include "runtime/world/io.h"

using namespace ravel;
using namespace ravel::rt;

namespace {

constexpr std::uint64_t kMillisecond = 1'000'000;

std::uint64_t deadline_after(std::uint64_t nanoseconds) {
  if (nanoseconds == 0) return 0;
  const std::uint64_t now = virtual_now();
  return now + nanoseconds < now ? kNever : now + nanoseconds;
}
std::uint64_t deadline_of(int milliseconds) {
  return milliseconds < 0 ? kNever : deadline_after(static_cast<std::uint64_t>(milliseconds) * kMillisecond);
}
std::uint64_t deadline_of(const timespec* duration) {
  return duration == nullptr ? kNever : deadline_after(nanoseconds_of(*duration));
}

long poll_until(pollfd* descriptors, nfds_t count, std::uint64_t deadline, LocationId location) {
  if (count == 0 && deadline != kNever) {
    return sleep_until(deadline == 0 ? virtual_now() : deadline, location) ? 0 : -EINTR;
  }
  return io_poll(descriptors, static_cast<std::uint32_t>(count), deadline, location);
}

bool is_in(const fd_set* set, int descriptor) {
  return set != nullptr && FD_ISSET(descriptor, set);
}

long select_until(int count, fd_set* read, fd_set* write, fd_set* except, std::uint64_t deadline, LocationId location) {
  if (count < 0 || count > FD_SETSIZE) return -EINVAL;
  pollfd list[FD_SETSIZE];
  nfds_t used = 0;
  for (int i = 0; i < count; ++i) {
    const int events =
        (is_in(read, i) ? POLLIN : 0) | (is_in(write, i) ? POLLOUT : 0) | (is_in(except, i) ? POLLPRI : 0);
    if (events == 0) continue;
    if (call_for_program(SYS_fcntl, i, 1 /* F_GETFD */) < 0) return -EBADF;
    list[used++] = {i, static_cast<short>(events), 0};
  }
  const long ready = poll_until(list, used, deadline, location);
  if (ready < 0) return ready;
  for (fd_set* set : {read, write, except}) {
    if (set != nullptr) FD_ZERO(set);
  }
  long bits = 0;
  for (nfds_t i = 0; i < used; ++i) {
    const auto mark = [&](fd_set* set, short asked, int seen) {
      if (set == nullptr || (list[i].events & asked) == 0 || (list[i].revents & seen) == 0) return;
      FD_SET(list[i].fd, set);
      ++bits;
    };
    mark(read, POLLIN, POLLIN | POLLHUP | POLLERR);
    mark(write, POLLOUT, POLLOUT | POLLERR);
    mark(except, POLLPRI, POLLPRI);
  }
  return bits;
}

long epoll_until(int epoll, epoll_event* events, int room, std::uint64_t deadline, LocationId location) {
  for (;;) {
    pollfd one = {epoll, POLLIN, 0};
    const long ready = io_poll(&one, 1, deadline, location);
    if (ready < 0) return ready;
    const long result = call_for_program(SYS_epoll_wait, epoll, as_argument(events), room, 0);
    if (result != 0 || ready == 0 || deadline == 0) return result;
  }
}

}  // namespace

RAVEL_EXPORT int poll(pollfd* descriptors, nfds_t count, int timeout) {
  RAVEL_PASS_THROUGH(poll, descriptors, count, timeout);
  return static_cast<int>(as_c_result(poll_until(descriptors, count, deadline_of(timeout), RAVEL_CALLER)));
}

RAVEL_EXPORT int __poll_chk(pollfd* descriptors, nfds_t count, int timeout, std::size_t room) {
  if (!g.in_control || count > room / sizeof(pollfd)) return real().__poll_chk(descriptors, count, timeout, room);
  return static_cast<int>(as_c_result(poll_until(descriptors, count, deadline_of(timeout), RAVEL_CALLER)));
}

RAVEL_EXPORT int ppoll(pollfd* descriptors, nfds_t count, const timespec* timeout, const sigset_t* mask) {
  RAVEL_PASS_THROUGH(ppoll, descriptors, count, timeout, mask);
  const LocationId location = RAVEL_CALLER;
  return static_cast<int>(
      as_c_result(with_mask(mask, [&] { return poll_until(descriptors, count, deadline_of(timeout), location); })));
}

RAVEL_EXPORT int __ppoll_chk(pollfd* descriptors, nfds_t count, const timespec* timeout, const sigset_t* mask,
                             std::size_t room) {
  if (!g.in_control || count > room / sizeof(pollfd))
    return real().__ppoll_chk(descriptors, count, timeout, mask, room);
  const LocationId location = RAVEL_CALLER;
  return static_cast<int>(
      as_c_result(with_mask(mask, [&] { return poll_until(descriptors, count, deadline_of(timeout), location); })));
}

RAVEL_EXPORT int select(int count, fd_set* read, fd_set* write, fd_set* except, timeval* timeout) {
  RAVEL_PASS_THROUGH(select, count, read, write, except, timeout);
  timespec duration = {};
  if (timeout != nullptr) duration = {timeout->tv_sec, timeout->tv_usec * 1000};
  return static_cast<int>(as_c_result(
      select_until(count, read, write, except, deadline_of(timeout != nullptr ? &duration : nullptr), RAVEL_CALLER)));
}

RAVEL_EXPORT int pselect(int count, fd_set* read, fd_set* write, fd_set* except, const timespec* timeout,
                         const sigset_t* mask) {
  RAVEL_PASS_THROUGH(pselect, count, read, write, except, timeout, mask);
  const LocationId location = RAVEL_CALLER;
  return static_cast<int>(as_c_result(
      with_mask(mask, [&] { return select_until(count, read, write, except, deadline_of(timeout), location); })));
}

RAVEL_EXPORT int epoll_wait(int epoll, epoll_event* events, int room, int timeout) {
  RAVEL_PASS_THROUGH(epoll_wait, epoll, events, room, timeout);
  return static_cast<int>(as_c_result(epoll_until(epoll, events, room, deadline_of(timeout), RAVEL_CALLER)));
}

RAVEL_EXPORT int epoll_pwait(int epoll, epoll_event* events, int room, int timeout, const sigset_t* mask) {
  RAVEL_PASS_THROUGH(epoll_pwait, epoll, events, room, timeout, mask);
  const LocationId location = RAVEL_CALLER;
  return static_cast<int>(
      as_c_result(with_mask(mask, [&] { return epoll_until(epoll, events, room, deadline_of(timeout), location); })));
}

RAVEL_EXPORT int epoll_ctl(int epoll, int what, int descriptor, epoll_event* event) noexcept {
  RAVEL_PASS_THROUGH(epoll_ctl, epoll, what, descriptor, event);
  const IoCall call = {epoll, OpKind::kIoWrite, 0, __ATOMIC_RELEASE, RAVEL_CALLER};
  return static_cast<int>(as_c_result(io_operation(
      call, [&] { return call_for_program(SYS_epoll_ctl, epoll, what, descriptor, as_argument(event)); })));
}

RAVEL_EXPORT int epoll_pwait2(int epoll, epoll_event* events, int room, const timespec* timeout, const sigset_t* mask) {
  RAVEL_PASS_THROUGH(epoll_pwait2, epoll, events, room, timeout, mask);
  const LocationId location = RAVEL_CALLER;
  return static_cast<int>(
      as_c_result(with_mask(mask, [&] { return epoll_until(epoll, events, room, deadline_of(timeout), location); })));
}
