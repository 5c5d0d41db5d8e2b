// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Ravel authors
#include "detect/views.h"

#include "base/hash.h"
#include "detect/detector_table.h"
#include "semantics/effects.h"

namespace ravel {

Views::Views(std::pmr::memory_resource& memory, const Services& services)
    : locks_(services.locks),
      sink_(services.sink),
      index_(memory, 1u << 8, kMaxViews * 2),
      lists_(memory, kMaxViews),
      views_(memory, kMaxViews),
      open_(memory, kDetectorThreads) {}

void Views::begin(const TraceView&) {
  index_.clear();
  lists_.clear();
  views_.clear();
  open_.clear();
  work_ = 0;
  truncated_ = false;
}

void Views::on_event(const Event& e, const Moment&) {
  if (is_memory_access(e.kind)) {
    const std::uint32_t* first = open_.find(e.thread);
    for (std::uint32_t i = first == nullptr ? 0 : *first; i != 0; i = views_[i].next) {
      View& view = views_[i];
      if (view.count > kMost) continue;
      std::uint32_t at = 0;
      while (at < view.count && view.place[at] != place_of(e)) ++at;
      if (at == view.count && ++view.count <= kMost) view.place[at] = place_of(e);
      if (at < kMost && has_write_effect(e.kind, e.bits)) view.writes |= 1u << at;
    }
    return;
  }
  if (op_class(e.kind) != OpClass::kSync) return;
  if (e.kind == OpKind::kMutexUnlock || e.kind == OpKind::kRwUnlock) close(e.thread, place_of(e));
  if (e.kind == OpKind::kCondWait) close(e.thread, e.value);
  if (const LockHold* taken = locks_.just_taken()) open(*taken);
}

void Views::open(const LockHold& hold) {
  const ThreadIndex thread = hold.taken.thread;
  std::uint32_t* first = open_.find(thread);
  if (first == nullptr && thread < open_.capacity()) first = &open_.insert(thread, 0);
  View view;
  view.lock = hold.place;
  view.taken = {hold.taken, hold.sequence};
  view.next = first == nullptr ? 0 : *first;
  const std::uint32_t made = first == nullptr ? 0 : views_.add(view);
  if (made == 0) {
    truncated_ = true;
    return;
  }
  *first = made;
}

bool Views::is_known(const View& view, std::uint32_t list) const {
  for (std::uint32_t i = list; i != 0; i = views_[i].next) {
    const View& other = views_[i];
    if (other.taken.event.thread != view.taken.event.thread || other.count != view.count) continue;
    std::uint32_t same = 0;
    for (std::uint32_t a = 0; a < view.count; ++a) {
      for (std::uint32_t b = 0; b < other.count; ++b) {
        const bool written = ((view.writes >> a) & 1) <= ((other.writes >> b) & 1);
        same += view.place[a] == other.place[b] && written;
      }
    }
    if (same == view.count) return true;
  }
  return false;
}

void Views::close(ThreadIndex thread, std::uint64_t lock) {
  std::uint32_t* link = open_.find(thread);
  while (link != nullptr && *link != 0 && views_[*link].lock != lock) link = &views_[*link].next;
  if (link == nullptr || *link == 0) return;
  const std::uint32_t number = *link;
  View& view = views_[number];
  *link = view.next;
  std::uint32_t* list = index_.claim(lock);
  if (list != nullptr && *list == 0) *list = lists_.add(0);
  if (list == nullptr || *list == 0) {
    truncated_ = true;
    return;
  }
  if (view.count == 0 || view.count > kMost || is_known(view, lists_[*list])) {
    views_.remove(number);
    return;
  }
  view.next = lists_[*list];
  lists_[*list] = number;
}

void Views::finish(const TraceView&) {
  for (std::uint32_t list = 1; list <= lists_.live(); ++list) {
    for (std::uint32_t m = lists_[list]; m != 0; m = views_[m].next) {
      const ThreadIndex own = views_[m].taken.event.thread;
      if (views_[m].count < 2) continue;
      for (std::uint32_t a = lists_[list]; a != 0; a = views_[a].next) {
        if (views_[a].taken.event.thread == own) continue;
        for (std::uint32_t b = views_[a].next; b != 0; b = views_[b].next) {
          if (views_[b].taken.event.thread != views_[a].taken.event.thread) continue;
          if (++work_ > kMaxWork) {
            truncated_ = true;
            return;
          }
          compare(views_[m], views_[a], views_[b]);
        }
      }
    }
  }
}

void Views::compare(const View& whole, const View& a, const View& b) {
  std::uint32_t only_a = 0;
  std::uint32_t only_b = 0;
  bool written_a = false;
  bool written_b = false;
  for (std::uint32_t i = 0; i < whole.count; ++i) {
    const auto find = [&](const View& view) {
      std::uint32_t at = 0;
      while (at < view.count && view.place[at] != whole.place[i]) ++at;
      return at;
    };
    const std::uint32_t in_a = find(a);
    const std::uint32_t in_b = find(b);
    const bool written = (whole.writes >> i & 1) != 0;
    if (in_a < a.count) written_a |= written || (a.writes >> in_a & 1) != 0;
    if (in_b < b.count) written_b |= written || (b.writes >> in_b & 1) != 0;
    only_a += in_a < a.count && in_b == b.count;
    only_b += in_b < b.count && in_a == a.count;
  }
  if (only_a == 0 || only_b == 0 || !written_a || !written_b) return;
  const bool a_first = a.taken.sequence < b.taken.sequence;
  DetectionRecord found;
  found.kind = OutcomeKind::kAtomicityViolation;
  found.detector = static_cast<std::uint8_t>(DetectorId::kViews);
  found.roles = 3;
  found.role[0] = whole.taken;
  found.role[1] = a_first ? a.taken : b.taken;
  found.role[2] = a_first ? b.taken : a.taken;
  found.key = hash_combine(detector_bit(DetectorId::kViews), whole.taken.event.location);
  found.key = hash_combine(found.key, mix64(a.taken.event.location) + mix64(b.taken.event.location));
  sink_.on_detection(found);
}

}  // namespace ravel
