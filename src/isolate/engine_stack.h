// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Ravel authors
//
// The engine has a stack of its own in the worker, so that all others can be put back while it runs, and executions
// begin with theirs as they were.
#pragma once

#include <cstddef>
#include <cstdint>

namespace ravel {

inline constexpr std::uintptr_t kEngineStack = 0x52e000000000ull;
inline constexpr std::size_t kEngineStackBytes = std::size_t{8} << 20;

// Leaves the present stack for ever.
[[noreturn]] void continue_on_engine_stack(void (*run)(void*), void* argument);

}  // namespace ravel
