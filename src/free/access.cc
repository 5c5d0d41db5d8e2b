// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Ravel authors
#include "free/access.h"

#include "free/gate.h"
#include "free/observer.h"

namespace ravel::fr {

void hook_access(FreeThread& self, std::uintptr_t address, std::uintptr_t pc) {
  if ((g_hooks & kHookNoise) != 0) pass_gate(self, kNoisePlain, pc);
  if ((g_hooks & kHookObserve) != 0) observe(self, address, pc, kNoisePlain);
}

}  // namespace ravel::fr
