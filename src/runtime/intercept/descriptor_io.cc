// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Ravel authors
//
// read and write in their forms, and pipes.
#include <errno.h>
#include <limits.h>
#include <sys/eventfd.h>
#include <sys/uio.h>
#include <unistd.h>

#include "runtime/fiber/home.h"
#include "runtime/intercept/call_result.h"
#include "runtime/intercept/export.h"
#include "runtime/platform/raw.h"
#include "runtime/world/identity.h"
#include "runtime/world/io.h"
#include "runtime/world/io_vector.h"
#include "runtime/world/library_state.h"

using namespace ravel;
using namespace ravel::rt;

namespace {

IoCall reading(int descriptor, LocationId location) {
  return {descriptor, OpKind::kIoRead, POLLIN, __ATOMIC_ACQUIRE, location};
}
IoCall writing(int descriptor, LocationId location) {
  return {descriptor, OpKind::kIoWrite, POLLOUT, __ATOMIC_RELEASE, location};
}

long read_some(int descriptor, void* buffer, std::size_t size, LocationId location) {
  return io_operation(reading(descriptor, location), [&] {
    return call_for_program(SYS_read, descriptor, as_argument(buffer), static_cast<long>(size));
  });
}

// A blocking write ends when all is written.
long write_all(int descriptor, const void* buffer, std::size_t size, LocationId location) {
  iovec one = {const_cast<void*>(buffer), size};
  return write_vector(writing(descriptor, location), &one, 1, [&](const iovec* parts, int) {
    return call_for_program(SYS_write, descriptor, as_argument(parts->iov_base), static_cast<long>(parts->iov_len));
  });
}

}  // namespace

RAVEL_EXPORT ssize_t read(int descriptor, void* buffer, std::size_t size) {
  RAVEL_PASS_THROUGH(read, descriptor, buffer, size);
  return as_c_result(read_some(descriptor, buffer, size, RAVEL_CALLER));
}

RAVEL_EXPORT ssize_t __read_chk(int descriptor, void* buffer, std::size_t size, std::size_t room) {
  if (!g.in_control || size > room) return real().__read_chk(descriptor, buffer, size, room);
  return as_c_result(read_some(descriptor, buffer, size, RAVEL_CALLER));
}

RAVEL_EXPORT ssize_t readv(int descriptor, const iovec* parts, int count) {
  RAVEL_PASS_THROUGH(readv, descriptor, parts, count);
  return as_c_result(io_operation(reading(descriptor, RAVEL_CALLER),
                                  [&] { return call_for_program(SYS_readv, descriptor, as_argument(parts), count); }));
}

RAVEL_EXPORT ssize_t write(int descriptor, const void* buffer, std::size_t size) {
  RAVEL_PASS_THROUGH(write, descriptor, buffer, size);
  return as_c_result(write_all(descriptor, buffer, size, RAVEL_CALLER));
}

RAVEL_EXPORT ssize_t writev(int descriptor, const iovec* parts, int count) {
  RAVEL_PASS_THROUGH(writev, descriptor, parts, count);
  if (count < 0 || count > kMaxParts) return as_c_result(-EINVAL);
  return as_c_result(write_vector(writing(descriptor, RAVEL_CALLER), parts, count, [&](const iovec* rest, int left) {
    return call_for_program(SYS_writev, descriptor, as_argument(rest), left);
  }));
}

RAVEL_EXPORT int eventfd_read(int descriptor, eventfd_t* value) {
  RAVEL_PASS_THROUGH(eventfd_read, descriptor, value);
  const long result = read_some(descriptor, value, sizeof *value, RAVEL_CALLER);
  return static_cast<int>(as_c_result(result == static_cast<long>(sizeof *value) ? 0 : result));
}

RAVEL_EXPORT int eventfd_write(int descriptor, eventfd_t value) {
  RAVEL_PASS_THROUGH(eventfd_write, descriptor, value);
  const long result = write_all(descriptor, &value, sizeof value, RAVEL_CALLER);
  return static_cast<int>(as_c_result(result == static_cast<long>(sizeof value) ? 0 : result));
}

RAVEL_EXPORT int pipe2(int* ends, int flags) noexcept {
  change_library_state(LibraryState::kDescriptors, RAVEL_CALLER);
  const long result = call_for_program(SYS_pipe2, as_argument(ends), flags);
  if (result == 0 && g.in_control) note_own_pair(ends[0], ends[1]);
  return static_cast<int>(as_c_result(result));
}

RAVEL_EXPORT int pipe(int* ends) noexcept {
  return pipe2(ends, 0);
}
