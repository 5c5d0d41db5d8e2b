// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Ravel authors
//
// Memory: what a thread would find there, and whether it waits by re-reading.
#include "explore/predictor.h"

namespace ravel {
namespace {

// One byte of an access' value.
bool byte_of(const OperationView& op, std::uint64_t place, std::uint64_t value, std::uint64_t& byte) {
  if (op.size > 8) return false;
  byte = value >> (8 * (place - op.place)) & 0xff;
  return true;
}
}  // namespace

// The byte at a place behind the selected steps.
bool Predictor::byte_at(std::uint64_t place, std::uint64_t& byte) const {
  std::uint32_t last = kNoStep;
  past_.visit_rest(steps_.count(), [&](std::uint32_t i) {
    const OperationView& op = steps_[i].act.op;
    const bool writes = is_memory_access(op.kind) && has_write_effect(op.kind, op.bits);
    if (writes && ranges_meet(place, 1, op.place, op.size)) last = i;
  });
  // Before the cut everything is as it was: there a read tells as well, and more than an older write.
  const Spot spot = Steps::spot_of_memory(place);
  StepIndex::Walk walk = steps_.index().walk(spot, past_.begin());
  for (std::uint32_t i = last == kNoStep ? walk.back() : last; i != kNoStep; i = walk.back()) {
    const OperationView& op = steps_[i].act.op;
    const bool writes = is_memory_access(op.kind) && has_write_effect(op.kind, op.bits);
    if ((!writes && !looks_at_memory(op.kind)) || !ranges_meet(place, 1, op.place, op.size)) continue;
    return byte_of(op, place, value_left(steps_[i]), byte);
  }
  std::uint32_t first = kNoStep;  // nobody wrote: what the very first access found
  steps_.index().forward(spot, [&](std::uint32_t i) {
    const OperationView& op = steps_[i].act.op;
    if (first != kNoStep || (!looks_at_memory(op.kind) && !is_memory_access(op.kind))) return;
    if (ranges_meet(place, 1, op.place, op.size)) first = i;
  });
  if (first == kNoStep) return false;
  const OperationView& op = steps_[first].act.op;
  return byte_of(op, place, looks_at_memory(op.kind) ? op.value : steps_[first].operand, byte);
}

// The value of the bytes the operation looks at.
bool Predictor::value(std::uint64_t place, std::uint32_t size, std::uint64_t& value) const {
  if (size > 8 || !is_followed(place, size)) return false;
  value = 0;
  for (std::uint32_t b = 0; b < size; ++b) {
    std::uint64_t byte = 0;
    if (!byte_at(place + b, byte)) return false;
    value |= byte << (8 * b);
  }
  return true;
}

// From the cut on, does each access find what the one before it has left? Otherwise the memory was written without a
// step, by an initialisation perhaps.
bool Predictor::is_followed(std::uint64_t place, std::uint32_t size) const {
  bool followed = true;
  for (const std::uint32_t i : steps_.surprises()) {
    const OperationView& op = steps_[i].act.op;
    followed = followed && (i < past_.begin() || op.place != place || op.size != size);
  }
  return followed;
}

void Predictor::memory() {
  // It had read the same value again and again and waits for another one, at this place or at one beside it.
  if (next_.waited) {
    result_ = guess(next_);
    return;
  }
  enable();
  if (has_read_effect(op_.kind)) look_for_spinning();
  if (op_.kind != OpKind::kAtomicCas) return;
  std::uint64_t now = 0;
  // What a pending one expects is not known.
  if (next_.pending || !value(op_.place, op_.size, now)) return leave_open();
  const std::uint64_t expected = did_fail(op_) ? next_.operand : op_.value;
  set(kFailed, now != expected);
}

// Whoever reads the same value again and again, at the same line and without doing anything else, waits for another
// one after a while (the runtime's spin_watch.h).
void Predictor::look_for_spinning() {
  std::uint64_t seen = 0;
  std::uint64_t now = 0;
  if (times_there(seen) < kEqualReads) return;
  if (!value(op_.place, op_.size, now) || now == seen) result_.enabled = Enabled::kMaybe;
}

std::uint32_t Predictor::times_there(std::uint64_t& seen) const {
  std::uint32_t times = 0;
  for (std::uint32_t i = next_.previous; i != kNoStep; i = steps_[i].previous) {
    const OperationView& op = steps_[i].act.op;
    if (op.location == op_.location && op.place == op_.place && op.kind == op_.kind) {
      if (times != 0 && op.value != seen) break;
      seen = op.value;
      ++times;
    } else if (has_write_effect(op.kind, op.bits) || ends_spin(op.kind, op.bits)) {
      break;
    }
  }
  return times;
}

}  // namespace ravel
