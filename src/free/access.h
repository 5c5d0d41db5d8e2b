// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Ravel authors
//
// What is done at a plain access when anything is: noise, observation.
#pragma once

#include "free/state.h"

namespace ravel::fr {

void hook_access(FreeThread& self, std::uintptr_t address, std::uintptr_t pc);

}  // namespace ravel::fr
