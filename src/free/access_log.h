// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Ravel authors
//
// The log of plain accesses of a run that is traced: a ring per thread, beside that of synchronisation. An access is
// placed between two of its thread's operations by their number, and among other threads' by its time.
#pragma once

#include "free/access.h"

namespace ravel::fr {

// Of what is logged in bursts, one part in 32, by the order of all synchronisation: programs that synchronise all
// the time overwrite that before it is time for the next burst.
inline constexpr std::uint64_t kOrderPeriod = 1u << 14;
inline constexpr std::uint64_t kOrderBurst = 1u << 9;

// The thread has made an operation with that number: its next access is looked at.
inline void note_order(FreeThread& self, FreeLog& log, std::uint64_t order) {
  if (order % kOrderPeriod < kOrderBurst) self.look_at = log.look_again = 0;
}

void log_access(FreeThread& self, const PlainAccess& access);

}  // namespace ravel::fr
