// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Ravel authors
//
// What placements learn from: of each place of the code how often it was executed, with or without a lock, whether it
// touches what other threads touch, which places touch the same variable, and how long it is until another thread
// does. Variables are identified by address while the process runs; what is left of them is a group of places, which is
// the same in the next process.
#pragma once

#include "free/state.h"

namespace ravel::fr {

// False: no memory for the table of variables.
bool begin_observing();
void observe(FreeThread& self, std::uintptr_t address, std::uintptr_t pc, std::uint32_t place_class);

}  // namespace ravel::fr
