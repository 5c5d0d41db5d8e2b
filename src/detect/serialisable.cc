// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Ravel authors
#include "detect/serialisable.h"

#include "base/hash.h"
#include "detect/detector_table.h"
#include "semantics/effects.h"

namespace ravel {

Serialisable::Serialisable(std::pmr::memory_resource& memory, const Services& services)
    : sink_(services.sink),
      index_(memory, 1u << 10, kMaxPlaces * 2),
      places_(memory, kMaxPlaces),
      readers_(memory, kMaxReaders),
      slots_(memory, kDetectorThreads),
      threads_(static_cast<Thread*>(memory.allocate(sizeof(Thread) * kThreads, alignof(Thread)))) {}

void Serialisable::begin(const TraceView&) {
  if (running_) {
    index_.clear();
    places_.clear();
    readers_.clear();
    slots_.clear();
  }
  used_ = 0;
  running_ = truncated_ = false;
}

Serialisable::Thread* Serialisable::thread(ThreadIndex index) {
  const std::uint32_t* known = slots_.find(index);
  if (known != nullptr) return &threads_[*known];
  if (used_ == kThreads || index >= slots_.capacity()) {
    truncated_ = true;
    return nullptr;
  }
  slots_.insert(index, used_);
  Thread* fresh = new (&threads_[used_]) Thread{};
  fresh->clock.time[used_] = 1;
  ++used_;
  return fresh;
}

Serialisable::Place* Serialisable::place(std::uint64_t key) {
  std::uint32_t* number = index_.claim(key);
  if (number != nullptr && *number == 0) *number = places_.add(Place{});
  if (number == nullptr || *number == 0) {
    truncated_ = true;
    return nullptr;
  }
  return &places_[*number];
}

void Serialisable::join(Clock& into, const Clock& other) {
  for (std::uint32_t i = 0; i < kThreads; ++i) {
    if (other.time[i] > into.time[i]) into.time[i] = other.time[i];
  }
}

// `clock` comes before what t does now. If it already knows of the beginning of t's region, there is a circle.
void Serialisable::receive(Thread& t, const Event& e, const Moment& at, const Clock& clock, const RoleRecord& from) {
  const auto slot = static_cast<std::uint32_t>(&t - threads_);
  const bool circle = t.depth != 0 && clock.time[slot] >= t.begin;
  join(t.clock, clock);
  if (!circle || t.told) return;
  t.told = true;
  DetectionRecord found;
  found.kind = OutcomeKind::kAtomicityViolation;
  found.detector = static_cast<std::uint8_t>(DetectorId::kSerialisable);
  found.roles = 3;
  found.role[0] = t.region;
  found.role[1] = from;
  found.role[2] = {e, at.sequence};
  found.key = detector_bit(DetectorId::kSerialisable);
  for (unsigned i = 0; i < found.roles; ++i) found.key = hash_combine(found.key, found.role[i].event.location);
  sink_.on_detection(found);
}

// All of the region comes before whatever knows of its beginning.
void Serialisable::end_region(const Thread& t, std::uint32_t slot, const Event& e, const Moment& at) {
  for (std::uint32_t i = 1; i <= places_.live(); ++i) {
    if (places_[i].clock.time[slot] >= t.begin) join(places_[i].clock, t.clock);
    for (std::uint32_t r = places_[i].readers; r != 0; r = readers_[r].next) {
      if (readers_[r].clock.time[slot] >= t.begin) join(readers_[r].clock, t.clock);
    }
  }
  for (std::uint32_t u = 0; u < used_; ++u) {
    Thread& other = threads_[u];
    if (u == slot || other.clock.time[slot] < t.begin) continue;
    receive(other, e, at, t.clock, {e, at.sequence});
  }
}

void Serialisable::access(Thread& t, const Event& e, const Moment& at) {
  Place* p = place(place_of(e));
  if (p == nullptr) return;
  const bool written = p->last.event.kind != OpKind::kNone;
  if (written && p->last.event.thread != e.thread) receive(t, e, at, p->clock, p->last);
  if (has_write_effect(e.kind, e.bits)) {
    while (p->readers != 0) {
      const std::uint32_t number = p->readers;
      const Reader& reader = readers_[number];
      if (reader.read.event.thread != e.thread) receive(t, e, at, reader.clock, reader.read);
      p->readers = reader.next;
      readers_.remove(number);
    }
    p->clock = t.clock;
    p->last = {e, at.sequence};
    return;
  }
  std::uint32_t number = p->readers;
  while (number != 0 && readers_[number].read.event.thread != e.thread) number = readers_[number].next;
  if (number == 0) {
    number = readers_.add(Reader{{}, {}, p->readers});
    if (number == 0) {
      truncated_ = true;
      return;
    }
    p->readers = number;
  }
  readers_[number].clock = t.clock;
  readers_[number].read = {e, at.sequence};
}

void Serialisable::step(const Event& e, const Moment& at) {
  running_ = true;
  Thread* t = thread(e.thread);
  if (t == nullptr) return;
  const auto slot = static_cast<std::uint32_t>(t - threads_);
  const bool got = !e.failed() && (e.bits & kTimeout) == 0;
  const auto acquire = [&](std::uint64_t key) {
    const Place* p = place(key);
    if (p == nullptr || p->last.event.kind == OpKind::kNone || p->last.event.thread == e.thread) return;
    receive(*t, e, at, p->clock, p->last);
  };
  const auto release = [&](std::uint64_t key) {
    Place* p = place(key);
    if (p == nullptr) return;
    p->clock = t->clock;
    p->last = {e, at.sequence};
  };
  switch (e.kind) {
    case OpKind::kRegionBegin:
      if (t->depth++ != 0) return;
      t->begin = ++t->clock.time[slot];
      t->region = {e, at.sequence};
      t->told = false;
      return;
    case OpKind::kRegionEnd:
      if (t->depth == 0 || --t->depth != 0) return;
      end_region(*t, slot, e, at);
      ++t->clock.time[slot];
      return;
    case OpKind::kThreadCreate:
      if (Thread* child = got ? thread(static_cast<ThreadIndex>(e.value)) : nullptr) join(child->clock, t->clock);
      return;
    case OpKind::kThreadJoin:
      if (const Thread* child = got ? thread(static_cast<ThreadIndex>(e.value)) : nullptr) join(t->clock, child->clock);
      return;
    case OpKind::kMutexLock:
    case OpKind::kMutexTryLock:
      if (got) acquire(place_of(e));
      return;
    case OpKind::kCondReacquire:
      acquire(e.value);
      return;
    case OpKind::kMutexUnlock:
      if (got) release(place_of(e));
      return;
    case OpKind::kCondWait:
      release(e.value);
      return;
    default:
      if (is_memory_access(e.kind)) access(*t, e, at);
      return;
  }
}

}  // namespace ravel
