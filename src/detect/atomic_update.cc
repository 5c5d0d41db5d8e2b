// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Ravel authors
#include "detect/atomic_update.h"

#include "base/hash.h"
#include "detect/detector_table.h"
#include "semantics/effects.h"

namespace ravel {
namespace {

void report(DetectionSink& sink, DetectorId detector, std::initializer_list<RoleRecord> roles) {
  DetectionRecord found;
  found.kind = OutcomeKind::kAtomicityViolation;
  found.detector = static_cast<std::uint8_t>(detector);
  found.key = detector_bit(detector);
  for (const RoleRecord& role : roles) {
    found.role[found.roles++] = role;
    found.key = hash_combine(found.key, role.event.location);
  }
  sink.on_detection(found);
}

}  // namespace

void AtomicLooks::begin() {
  index_.clear();
  places_.clear();
  looks_.clear();
  truncated_ = false;
}

const AtomicLooks::Look* AtomicLooks::on_event(const Event& e, std::uint64_t sequence) {
  if (!is_atomic_access(e.kind)) return nullptr;
  std::uint32_t* number = index_.claim(place_of(e));
  if (number != nullptr && *number == 0) *number = places_.add(0);
  if (number == nullptr || *number == 0) {
    truncated_ = true;
    return nullptr;
  }
  const bool writes = has_write_effect(e.kind, e.bits);
  const RoleRecord now{e, sequence};
  std::uint32_t own = 0;
  for (std::uint32_t i = places_[*number]; i != 0; i = looks_[i].next) {
    Look& look = looks_[i];
    if (look.thread == e.thread) {
      own = i;
    } else if (writes && look.load.event.kind != OpKind::kNone) {
      if (look.writes++ == 0) look.first_write = now;
      look.last_write = now;
    }
  }
  if (own == 0) {
    Look fresh{};
    fresh.thread = e.thread;
    fresh.next = places_[*number];
    own = looks_.add(fresh);
    if (own == 0) {
      truncated_ = true;
      return nullptr;
    }
    places_[*number] = own;
  }
  Look& look = looks_[own];
  before_ = look;
  // A read opens a look; the thread's own write closes it.
  look.load = writes ? RoleRecord{} : now;
  look.writes = 0;
  return before_.load.event.kind == OpKind::kNone ? nullptr : &before_;
}

void AtomicUpdate::on_event(const Event& e, const Moment& at) {
  const AtomicLooks::Look* look = looks_.on_event(e, at.sequence);
  if (look == nullptr || e.kind != OpKind::kAtomicStore || look->writes == 0) return;
  report(sink_, DetectorId::kAtomicUpdate, {look->load, look->last_write, {e, at.sequence}});
}

void Aba::on_event(const Event& e, const Moment& at) {
  const AtomicLooks::Look* look = looks_.on_event(e, at.sequence);
  if (look == nullptr || e.kind != OpKind::kAtomicCas || e.failed() || look->writes < 2) return;
  if (look->load.event.value != e.value) return;  // it compares with something else
  report(sink_, DetectorId::kAba, {look->load, look->first_write, look->last_write, {e, at.sequence}});
}

}  // namespace ravel
