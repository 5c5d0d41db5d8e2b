// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Ravel authors
//
// Healing: noise that keeps a known defect away. A thread that is about to enter a broken section while another is
// inside waits on a word of our own until that one is through, and no longer than kLongestHealing; a thread inside that
// could run and has no processor is waited for a while longer. Nothing of the program is touched: a thread can be
// delayed by it and never blocked. Source: as of windows.h.
#pragma once

#include "free/state.h"

namespace ravel::fr {

inline constexpr std::uint64_t kLongestHealingNs = 10'000'000;
inline constexpr std::uint64_t kLongestPatienceNs = 500'000'000;

// At every operation whose place may be of a section.
void heal_at(std::uintptr_t pc);
// It has released a lock, and holds so many now.
void leave_lock_sections(std::uint32_t held);
// The thread ends, or is about to wait for another one: it is not inside of anything any more.
void leave_sections();

inline void heal(std::uintptr_t pc) {
  if (t_self != nullptr) heal_at(pc);
}

}  // namespace ravel::fr
