// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Ravel authors
#include "runtime/schedule/faults.h"

#include "runtime/record/recorder.h"
#include "runtime/schedule/scheduler.h"

namespace ravel::rt {

bool faults_left() {
  return g.block->result.faults < g.block->plan.max_faults;
}

void note_fault(std::uint32_t fault, ThreadIndex thread, LocationId location, ContextId context) {
  ExecutionResult& result = g.block->result;
  if (result.faults < kMaxFaultRecords) result.fault_table[result.faults] = {fault, thread, location, context};
  ++result.faults;
}

bool fault_happens(std::uint32_t fault, LocationId location) {
  if (!g.in_control || (g.block->plan.faults & fault) == 0 || !faults_left()) return false;
  if (choose_fault() == 0) return false;
  record(OpKind::kChoice, kSpurious, 0, 0, location, 1);
  note_fault(fault, g.current->index, location, g.current->calls.context());
  return true;
}

}  // namespace ravel::rt
