// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Ravel authors
//
// What a process that makes no progress is doing, from /proc: for the message of a hang.
#pragma once

#include <sys/types.h>

#include <cstddef>

namespace ravel {

void describe_process(pid_t process, char* buffer, std::size_t size);

}  // namespace ravel
