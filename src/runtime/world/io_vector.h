// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Ravel authors
//
// Blocking writes end when all is written, in as many operations as the other side makes necessary.
#pragma once

#include <fcntl.h>
#include <sys/uio.h>

#include "runtime/platform/raw.h"
#include "runtime/world/io.h"

namespace ravel::rt {

inline constexpr int kMaxParts = 1024;

// `attempt(parts, count)` makes the system call for what is left. Yields the bytes written, or the error when there
// are none.
template <class Attempt>
long write_vector(const IoCall& call, const iovec* parts, int count, Attempt attempt) {
  iovec rest[kMaxParts];
  std::size_t left = 0;
  for (int i = 0; i < count; ++i) {
    rest[i] = parts[i];
    left += parts[i].iov_len;
  }
  iovec* next = rest;
  std::size_t written = 0;
  for (;;) {
    const long result = io_operation(call, [&] { return attempt(next, count); });
    if (result < 0) return written != 0 ? static_cast<long>(written) : result;
    written += static_cast<std::size_t>(result);
    left -= static_cast<std::size_t>(result);
    const bool blocks = !call.dont_wait && (raw_syscall(SYS_fcntl, call.descriptor, F_GETFL) & O_NONBLOCK) == 0;
    if (left == 0 || result == 0 || !blocks) return static_cast<long>(written);
    auto done = static_cast<std::size_t>(result);
    while (count > 0 && done >= next->iov_len) {
      done -= next->iov_len;
      ++next;
      --count;
    }
    next->iov_base = static_cast<char*>(next->iov_base) + done;
    next->iov_len -= done;
  }
}

}  // namespace ravel::rt
