// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Ravel authors
//
// Sets of signals as the C library has them, and as words; a mask for the length of one call.
#pragma once

#include <signal.h>
#include <string.h>

#include <cstdint>

#include "runtime/signals/delivery.h"
#include "runtime/state/state.h"

namespace ravel::rt {

inline std::uint64_t bits_of(const sigset_t& set) {
  std::uint64_t bits = 0;
  memcpy(&bits, &set, sizeof bits);
  return bits;
}

inline sigset_t set_of(std::uint64_t bits) {
  sigset_t set;
  memset(&set, 0, sizeof set);
  memcpy(&set, &bits, sizeof bits);
  return set;
}

// ppoll, pselect, epoll_pwait: the mask holds while the call waits; what it lets through runs before the call returns.
template <class Call>
long with_mask(const sigset_t* mask, Call call) {
  if (mask == nullptr) return call();
  const std::uint64_t before = g.current->signal_mask;
  set_signal_mask(bits_of(*mask));
  take_process_signals();
  const long result = call();
  set_signal_mask(before);
  return result;
}

}  // namespace ravel::rt
