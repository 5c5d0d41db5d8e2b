// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Ravel authors
//
// Failures of the program: the first one is described in the block, and then happens as it would without us.
#pragma once

#include <signal.h>

#include "free/state.h"

namespace ravel::fr {

// From the caller of the hook upwards; `first` is put before them when it is not 0.
void note_failure(OutcomeKind kind, int signal, const char* message, std::uintptr_t first = 0);
void watch_fatal_signals();
// Whether `handler` is the one that watches.
bool is_our_handler(void (*handler)(int, siginfo_t*, void*));

}  // namespace ravel::fr
