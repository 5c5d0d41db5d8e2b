// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Ravel authors
#include "detect/units.h"

#include "base/hash.h"
#include "detect/detector_table.h"

namespace ravel {
namespace {

bool ends_unit(OpKind kind) {
  switch (kind) {
    case OpKind::kCondWait:
    case OpKind::kSemWait:
    case OpKind::kBarrierArrive:
    case OpKind::kThreadJoin:
    case OpKind::kFutexWait:
    case OpKind::kSleep:
      return true;
    default:
      return false;
  }
}

}  // namespace

// The call that everything of the thread now is part of; 0: not known.
LocationId Units::outermost(const Event& e) const {
  constexpr int kMostCalls = 64;
  LocationId call = 0;
  ContextId context = e.context;
  for (int depth = 0; context != 0 && context < trace_.contexts.size() && depth < kMostCalls; ++depth) {
    call = trace_.contexts[context].call;
    context = trace_.contexts[context].parent;
  }
  return call;
}

Units::Unit* Units::unit_of(const Event& e, std::uint64_t sequence) {
  Unit* unit = units_.find(e.thread);
  if (unit == nullptr) {
    if (e.thread >= units_.capacity()) {
      truncated_ = true;
      return nullptr;
    }
    unit = &units_.insert(e.thread, Unit{});
  }
  const LocationId call = outermost(e);
  if (unit->number != 0 && unit->outermost == call) return unit;
  *unit = Unit{};
  unit->number = ++next_unit_;
  unit->outermost = call;
  unit->first = {e, sequence};
  return unit;
}

void Units::on_event(const Event& e, const Moment& at) {
  if (ends_unit(e.kind)) {
    if (Unit* unit = units_.find(e.thread)) unit->number = 0;
    return;
  }
  if (e.kind != OpKind::kRead && e.kind != OpKind::kWrite) return;
  std::uint32_t* number = index_.claim(place_of(e));
  if (number != nullptr && *number == 0) *number = variables_.add(Variable{});
  if (number == nullptr || *number == 0) {
    truncated_ = true;
    return;
  }
  Variable& v = variables_[*number];
  Unit* unit = unit_of(e, at.sequence);
  if (unit == nullptr) return;
  const RoleRecord now{e, at.sequence};
  if (e.kind == OpKind::kRead) {
    read(*unit, v, now);
  } else {
    write(*unit, v, now);
  }
  if (v.write.event.kind != OpKind::kNone && v.write.event.thread != e.thread) {
    v.last_foreign = now;
    v.foreign_first = unit->first;
  }
  if (e.kind == OpKind::kWrite) {
    v.last_write = now;
    v.last_first = unit->first;
  }
}

void Units::read(Unit& unit, Variable& v, const RoleRecord& now) {
  if (v.written_by == unit.number) {  // what it computed is the input of the next one
    const LocationId call = unit.outermost;
    unit = Unit{};
    unit.number = ++next_unit_;
    unit.outermost = call;
    unit.first = now;
  }
  if (unit.inputs < kMostInputs) unit.input[unit.inputs++] = now;
}

void Units::write(Unit& unit, Variable& v, const RoleRecord& now) {
  for (std::uint32_t i = 0; i < unit.inputs; ++i) {
    const std::uint32_t number = index_.find(place_of(unit.input[i].event));
    if (number == 0) continue;
    const Variable& input = variables_[number];
    const bool changed = input.last_write.event.kind == OpKind::kWrite &&
                         input.last_write.event.thread != now.event.thread &&
                         input.last_write.sequence > unit.input[i].sequence;
    if (changed) report(0, unit.input[i], input.last_write, now, input.last_first);
  }
  const bool again = v.written_by == unit.number && v.last_foreign.event.kind != OpKind::kNone &&
                     v.last_foreign.sequence > v.write.sequence;
  if (again) report(1, v.write, v.last_foreign, now, v.foreign_first);
  unit.inputs = 0;
  v.written_by = unit.number;
  v.write = now;
  v.last_foreign = RoleRecord{};
}

void Units::report(std::uint8_t variant, const RoleRecord& first, const RoleRecord& foreign, const RoleRecord& now,
                   const RoleRecord& begin) {
  DetectionRecord found;
  found.kind = OutcomeKind::kAtomicityViolation;
  found.detector = static_cast<std::uint8_t>(DetectorId::kUnits);
  found.variant = variant;
  found.roles = 4;
  found.role[0] = first;
  found.role[1] = foreign;
  found.role[2] = now;
  found.role[3] = begin;
  found.key = hash_combine(detector_bit(DetectorId::kUnits), variant);
  for (unsigned i = 0; i < 3; ++i) found.key = hash_combine(found.key, found.role[i].event.location);
  sink_.on_detection(found);
}

}  // namespace ravel
