// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Ravel authors
//
// What is done at a plain access when anything is: healing, windows, noise, the log, observation.
#pragma once

#include "free/state.h"

namespace ravel::fr {

struct PlainAccess {
  std::uintptr_t address = 0;
  std::uint64_t size = 0;
  std::uintptr_t pc = 0;
  bool writes = false;
  bool is_volatile = false;
};

void hook_access(FreeThread& self, const PlainAccess& access);

}  // namespace ravel::fr
