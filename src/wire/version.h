// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Ravel authors
//
// Bump kWireVersion whenever the layout of SharedBlock, Event or a side table changes: tool and runtime of different
// versions then refuse each other with one clear line instead of reading rubbish.
#pragma once

#include <cstdint>

namespace ravel {

inline constexpr std::uint64_t kWireMagic = 0x314c455641522121ull;
inline constexpr std::uint32_t kWireVersion = 27;

// The runtime reads the number of the control descriptor from this variable, checks what it finds there, and removes
// it.
inline constexpr char kControlVariable[] = "RAVEL_CONTROL";
// Tests of the slow way to switch threads: set in the tool's environment, it reaches the runtime.
inline constexpr char kNoFsgsbaseVariable[] = "RAVEL_NO_FSGSBASE";

}  // namespace ravel
