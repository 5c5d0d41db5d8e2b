// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Ravel authors
//
// What has reached a thread from others and waits for its next point: signals and cancellation (signals/delivery.h).
#pragma once

#include <cstdint>

#include "runtime/state/thread.h"

namespace ravel::rt {

inline constexpr std::uint64_t signal_bit(int number) {
  return std::uint64_t{1} << (number - 1);
}

inline bool has_signal(const VirtualThread& thread) {
  return (thread.signals & ~thread.signal_mask) != 0;
}
// A cancellation that its pending operation has to act on.
inline bool is_cancelled(const VirtualThread& thread) {
  return thread.cancel_requested && !thread.cancel_disabled && !thread.cancelling &&
         (thread.pending.cancellable || thread.cancel_at_once);
}
inline bool has_mail(const VirtualThread& thread) {
  return has_signal(thread) || is_cancelled(thread);
}

}  // namespace ravel::rt
