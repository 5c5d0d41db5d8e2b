// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Ravel authors
//
// Variables of a process that was forked from this one: they are at the same addresses.
#pragma once

#include <sys/types.h>
#include <sys/uio.h>

#include "runtime/platform/raw.h"

namespace ravel {

// Zero where the system does not allow it, or nothing is there.
template <class T>
T read_variable(pid_t process, const T& here) {
  T value = {};
  const iovec to = {&value, sizeof value};
  const iovec from = {const_cast<T*>(&here), sizeof value};
  const long n = rt::raw_syscall(SYS_process_vm_readv, process, reinterpret_cast<long>(&to), 1,
                                 reinterpret_cast<long>(&from), 1, 0);
  return n == static_cast<long>(sizeof value) ? value : T{};
}

}  // namespace ravel
