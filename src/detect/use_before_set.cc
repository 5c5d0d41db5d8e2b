// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Ravel authors
#include "detect/use_before_set.h"

#include "base/hash.h"
#include "detect/detector_table.h"

namespace ravel {

void UseBeforeSet::on_event(const Event& e, const Moment& at) {
  const bool write = e.kind == OpKind::kWrite;
  if (!write && e.kind != OpKind::kRead) return;
  std::uint32_t* number = index_.claim(place_of(e));
  if (number != nullptr && *number == 0) *number = places_.add(Place{});
  if (number == nullptr || *number == 0) {
    truncated_ = true;
    return;
  }
  Place& place = places_[*number];
  const RoleRecord now{e, at.sequence};
  if (!write) {
    read(place, now);
    if (e.size == kPointerBytes && e.value == 0) {
      note_null(*number, now);
    }
  } else {
    const bool first = place.write.event.kind == OpKind::kNone;
    const bool others_read = place.early_read.event.kind != OpKind::kNone && place.early_read.event.thread != e.thread;
    place.write = now;
    if (e.value != 0) place.was_set = true;
    if (first && others_read) place.suspect = true;
  }
  const bool worth = place.suspect || place.null_read.event.kind != OpKind::kNone;
  if (!worth) return;
  for (std::uint32_t i = 0; i < suspects_; ++i) {
    if (suspect_[i] == *number) return;
  }
  if (suspects_ < kMaxSuspects) suspect_[suspects_++] = *number;
}

void UseBeforeSet::read(Place& place, const RoleRecord& now) {
  const Event& e = now.event;
  const bool written = place.write.event.kind != OpKind::kNone;
  if (e.value != 0) place.was_set = true;
  if (!written) {
    if (e.value == 0 && !place.was_set) place.early_read = now;
    return;
  }
  if (e.thread == place.early_read.event.thread) place.read_again = true;
  const bool by_other = place.write.event.thread != e.thread;
  if (e.size == kPointerBytes && e.value == 0 && place.was_set && by_other) place.null_read = now;
}

void UseBeforeSet::note_null(std::uint32_t place, const RoleRecord& now) {
  last_null_read_ = place;
  last_null_ = now;
  const std::uint32_t kept = null_count_ < kMaxNulls ? null_count_ : kMaxNulls;
  for (std::uint32_t i = 0; i < kept; ++i) {
    if (nulls_[i].thread == now.event.thread && nulls_[i].place == place) return;
  }
  nulls_[null_count_++ % kMaxNulls] = {now.event.thread, place};
}

// Besides the last one, by the same thread.
bool UseBeforeSet::read_another_null() const {
  const std::uint32_t kept = null_count_ < kMaxNulls ? null_count_ : kMaxNulls;
  for (std::uint32_t i = 0; i < kept; ++i) {
    if (nulls_[i].thread == last_null_.event.thread && nulls_[i].place != last_null_read_) return true;
  }
  return false;
}

void UseBeforeSet::finish(const TraceView& trace) {
  const ExecutionResult& result = *trace.result;
  for (std::uint32_t i = 0; i < suspects_; ++i) {
    const Place& place = places_[suspect_[i]];
    if (place.suspect && !place.read_again) report(kSetLater, place.early_read, &place.write);
  }
  if (result.outcome != OutcomeKind::kSignal || last_null_read_ == 0) return;
  if (last_null_.event.thread != result.thread) return;
  // Inside a library, say memcpy(), nobody knows which of several null pointers it was given.
  const bool in_library = module_slot(result.location) != module_slot(last_null_.event.location);
  if (in_library && read_another_null()) return;
  const Place& place = places_[last_null_read_];
  if (place.write.event.kind == OpKind::kNone) {
    if (!place.was_set) report(kNeverSet, last_null_, nullptr);
  } else if (place.null_read.sequence == last_null_.sequence && place.null_read.event.kind != OpKind::kNone) {
    report(kNull, place.write, &place.null_read);
  }
}

void UseBeforeSet::report(Variant variant, const RoleRecord& first, const RoleRecord* second) {
  DetectionRecord found;
  found.kind = OutcomeKind::kOrderViolation;
  found.detector = static_cast<std::uint8_t>(DetectorId::kUseBeforeSet);
  found.variant = variant;
  found.role[found.roles++] = first;
  found.key = hash_combine(hash_combine(detector_bit(DetectorId::kUseBeforeSet), variant), first.event.location);
  if (second != nullptr) {
    found.role[found.roles++] = *second;
    found.key = hash_combine(found.key, second->event.location);
  }
  sink_.on_detection(found);
}

}  // namespace ravel
