// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Ravel authors
//
// Waiting for processes without asking all the time: returns when one of them ends, and otherwise after a time that
// grows with how long it has gone on, so that watching a long campaign costs nothing and a short one is seen in detail.
#pragma once

#include <sys/types.h>

#include <chrono>
#include <span>

namespace ravel {

// A descriptor that is readable once the process has ended; -1: the kernel has none (then only time passes).
int open_end_of(pid_t process);

// How long to wait at most after `elapsed`: a twentieth of it, at least 2 ms, at most 20.
std::chrono::milliseconds pause_after(std::chrono::nanoseconds elapsed);

// `ends`: of open_end_of(); negative ones are left out.
void wait_for_end(std::span<const int> ends, std::chrono::milliseconds most);

}  // namespace ravel
