// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Ravel authors
//
// Choices that are no threads: which waiter is woken, whether a fault happens, what the program asks for.
#include "runtime/schedule/gate.h"
#include "runtime/schedule/schedule_log.h"
#include "runtime/schedule/scheduler.h"
#include "runtime/schedule/scheduler_state.h"

namespace ravel::rt {

namespace {
enum class Gate { kChooses, kSilent };

std::uint32_t take_alternative(std::uint32_t n, std::uint32_t (*unplanned)(std::uint32_t), Gate gate = Gate::kChooses,
                               std::uint32_t otherwise = kNoAlternative) {
  std::uint32_t planned = 0;
  std::uint32_t taken = n;
  if (g_scheduler.gated && gate == Gate::kChooses && gate_chooses(n, planned)) {
    taken = planned;
  } else if (follows_turns()) {
    if (take_planned_alternative(n, planned)) taken = planned;
  } else if (next_planned_choice(planned)) {
    taken = planned & ~kDataChoice;
    if ((planned & kDataChoice) == 0 || taken >= n) {
      diverged(planned);
      taken = n;
    }
  }
  if (taken == n && otherwise < n) taken = otherwise;
  if (taken == n) taken = unplanned(n);
  log_choice(kDataChoice | taken, n, kNoThread, kNotListed);
  g_scheduler.quick.mode = QuickPoint::Mode::kNone;  // the thread's next choices are a segment of their own
  if (g_scheduler.seat.watches) g_scheduler.seat.policy->chose(g.current->index, taken);
  ++g.block->result.data_choices;
  return taken;
}
}  // namespace

std::uint32_t choose(std::uint32_t n) {
  return n < 2 ? 0 : take_alternative(n, random_alternative);
}

std::uint32_t choose_or_take(std::uint32_t n, std::uint32_t otherwise) {
  return take_alternative(n, random_alternative, Gate::kSilent, g_scheduler.gated ? otherwise : kNoAlternative);
}

std::uint32_t choose_fault() {
  return take_alternative(2, [](std::uint32_t) { return fault_is_due() ? 1u : 0u; });
}

}  // namespace ravel::rt
