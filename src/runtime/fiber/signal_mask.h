// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Ravel authors
//
// The mask of the process is always that of the running thread, so that the system treats real signals as the program
// has asked.
#pragma once

#include <cstdint>

#include "runtime/state/thread.h"

namespace ravel::rt {

std::uint64_t process_signal_mask();
// Changes the running thread's mask; never SIGKILL and SIGSTOP.
void set_signal_mask(std::uint64_t mask);
void apply_signal_mask(const VirtualThread& thread);
void refresh_signal_mask(VirtualThread& running);

}  // namespace ravel::rt
