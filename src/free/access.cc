// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Ravel authors
#include "free/access.h"

#include "free/access_log.h"
#include "free/gate.h"
#include "free/heal.h"
#include "free/observer.h"
#include "free/windows.h"

namespace ravel::fr {

void hook_access(FreeThread& self, const PlainAccess& access) {
  if ((g_hooks & kHookHeal) != 0) heal(access.pc);
  if ((g_hooks & kHookWindows) != 0) look_into_windows(self, access);
  if ((g_hooks & kHookNoise) != 0) pass_gate(self, kNoisePlain, access.pc, &access);
  if ((g_hooks & kHookTrace) != 0) log_access(self, access);
  if ((g_hooks & kHookObserve) != 0) observe(self, access.address, access.pc, kNoisePlain);
}

}  // namespace ravel::fr
