// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Ravel authors
//
// What the recorder and the scheduler need of the access filter (access_filter.h): a stretch is what a thread does
// between two of its visible operations that are not plain accesses.
#pragma once

#include "runtime/record/access_filter.h"
#include "runtime/state/state.h"

namespace ravel::rt {

// Somebody touched [address, address + size) in another way, or it was freed and may be another object soon.
inline void forget_accesses(std::uintptr_t address, std::size_t size) {
  if (address - kFilteredFrom < g_filter.bytes) forget_cells(address, size);
}

// In front of the entries, so that both have the same fate.
struct Stamps {
  std::uint64_t last;
};
inline Stamps& stamps() {
  return *reinterpret_cast<Stamps*>(kFilterAddress - 4096);
}

// The thread did something visible: a new stamp. If it is not the running one, it gets it when it runs.
inline void begin_stretch(VirtualThread& thread) {
  if (g_filter.bytes == 0) return;
  thread.stamp = ++stamps().last << kStampShift;
  if (&thread == g.current) show_stamp(thread.stamp);
}
// What the accesses that were not recorded did to the thread's state.
inline void settle_quiet_accesses(VirtualThread& self) {
  if (g_filter.wrote) {
    g_filter.wrote = false;
    self.spin.progress();
  }
}

// It goes on running after a switch.
void resume_stretch(VirtualThread& thread);

}  // namespace ravel::rt
