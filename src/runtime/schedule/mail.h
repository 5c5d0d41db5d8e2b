// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Ravel authors
//
// What has reached a thread from others and waits for its next point: signals and cancellation (semantics/mail.h).
#pragma once

#include "runtime/state/thread.h"

namespace ravel::rt {

// A cancellation that its pending operation has to act on.
inline bool is_cancelled(const VirtualThread& thread) {
  return must_cancel(thread, thread.pending.cancellable);
}
inline bool has_mail(const VirtualThread& thread) {
  return has_signal(thread) || is_cancelled(thread);
}

}  // namespace ravel::rt
