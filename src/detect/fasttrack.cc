// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Ravel authors
#include "detect/fasttrack.h"

#include <bit>

#include "semantics/mutex.h"

namespace ravel {

namespace {
constexpr std::uint32_t kMaxUses = 1u << 16;
}

FastTrack::FastTrack(std::pmr::memory_resource& memory, Causality& causality, RaceSink& sink,
                     const FastTrackLimits& limits)
    : causality_(causality),
      sink_(sink),
      memory_(memory),
      accesses_(memory, limits.accesses),
      lines_(memory, limits.lines),
      cell_bytes_(sizeof(Access) * kCells * (std::size_t{limits.lines} + 1)),
      cells_(static_cast<Access*>(memory.allocate(cell_bytes_, 64))),
      index_(memory, 1u << 10, limits.lines * 2),
      objects_(memory, limits.objects),
      uses_(memory, kMaxUses) {}

void FastTrack::begin(bool at_length) {
  at_length_ = at_length;
  accesses_.clear();
  lines_.clear();
  index_.clear();
  objects_.clear();
  uses_.clear();
  recent_ = {};
  truncated_ = false;
}

inline void FastTrack::move(Access& to, const Access& from) {
  put(to, words_in(from));
}

FastTrack::Object* FastTrack::object_at(ObjectId id) {
  Object* object = objects_.find(id);
  if (object == nullptr && id < objects_.capacity()) object = &objects_.insert(id, Object{});
  return object;
}

// Lines of an object are linked, so that a free finds them. 0: no room for one more.
std::uint32_t FastTrack::new_line(Object& object, std::uint32_t number) {
  const std::uint32_t index = lines_.add_unset();
  if (index == 0) return 0;
  Line& line = lines_[index];
  line.next_in_object = object.lines;
  line.number = number;
  line.used = 0;
  object.lines = index;
  return index;
}

__attribute__((noinline)) std::uint32_t FastTrack::find_line(ObjectId id, std::uint32_t number) {
  Object* const object = object_at(id);
  if (object == nullptr) return 0;
  if (number == 0) {
    if (object->first == 0) object->first = new_line(*object, 0);
    return object->first;
  }
  std::uint32_t* const known = index_.claim(std::uint64_t{id} << 32 | number);
  if (known == nullptr) return 0;
  if (*known == 0) *known = new_line(*object, number);
  return *known;
}

// Without a line: no room for one more.
inline FastTrack::RecentLine FastTrack::line_at(ObjectId object, std::uint32_t number) {
  RecentLine& recent = recent_of(object, number);
  if (recent.key != key_of(object, number)) {
    const std::uint32_t line = find_line(object, number);
    if (line == 0) return {};
    recent = {key_of(object, number), &lines_[line], &cell_of(line, 0)};
  }
  return recent;
}

void FastTrack::report(const Access& first, const Arrival& now, Spot spot) {
  if (causality_.exhausted()) {
    truncated_ = true;
    return;
  }
  RaceRecord race;
  race.first.kind = first.kind;
  race.first.bits = first.bits;
  race.first.size = static_cast<std::uint16_t>(first.size);
  race.first.thread = first.thread;
  race.first.object = now.event.object;
  if (first.kind != OpKind::kHeapFree) {
    race.first.offset = spot.offset + static_cast<std::uint32_t>(static_cast<std::int32_t>(first.start));
  }
  race.first.location = first.location;
  race.first.context = first.context;
  race.first_seq = first.sequence;
  race.second = now.event;
  race.second_seq = now.sequence;
  sink_.on_race(race, spot.offset, static_cast<std::uint8_t>(first.mask & spot.mask));
}

// Reports a race of the two on the bytes they share. True: `old` is replaced on all of its bytes.
inline bool FastTrack::check_one(Access& old, const Arrival& now, Spot spot) {
  if ((old.mask & spot.mask) == 0) return false;
  const AccessClass old_class = race_class(old.kind, old.bits);
  const bool ordered = is_before(old, now);
  if (!ordered && conflict(old_class, now.cls)) report(old, now, spot);
  if (replaces(now.cls, old_class) && (ordered || now.cls == AccessClass::kPlainWrite)) {
    old.mask = static_cast<std::uint8_t>(old.mask & ~spot.mask);
  }
  return old.mask == 0;
}

// Reports what races on the masked bytes; forgets what is replaced. True: the cell is empty now.
__attribute__((noinline)) bool FastTrack::check_against(Access& cell, const Arrival& now, Spot spot) {
  const bool latest_gone = check_one(cell, now, spot);
  Access* before = &cell;
  while (before->next != 0) {
    const std::uint32_t index = before->next;
    Access& old = accesses_[index];
    if (check_one(old, now, spot)) {
      before->next = old.next;
      accesses_.remove(index);
    } else {
      before = &old;
    }
  }
  if (!latest_gone) return false;
  const std::uint32_t next = cell.next;
  if (next == 0) return true;
  move(cell, accesses_[next]);
  accesses_.remove(next);
  return false;
}

// The usual cases, in which nothing races and the bytes are those of the access before. True: the access is kept.
inline bool FastTrack::touch_alike(Access& last, const Arrival& now, Spot spot) {
  const AccessClass last_class = race_class(last.kind, last.bits);
  // Nobody touched the cell since this thread did the same, and the thread released nothing in between.
  if (last.slot == now.epoch.slot && last.tick == now.epoch.tick && (spot.mask & ~last.mask) == 0 &&
      last_class == now.cls)
    return true;
  if (last.mask != spot.mask || !replaces(now.cls, last_class) || !is_before(last, now)) return false;
  if (last.next != 0) {  // a read and the write before it, usually
    const Access& before = accesses_[last.next];
    const bool replaced = before.mask == spot.mask && before.next == 0 &&
                          replaces(now.cls, race_class(before.kind, before.bits)) && is_before(before, now);
    if (!replaced) return false;
    accesses_.remove(last.next);
  }
  put(last, words_of(now, spot, 0));  // one record, always the latest
  return true;
}

// In a freed object, a cell begins with the free in it. False: it begins empty.
bool FastTrack::begin_cell(Access& cell, ObjectId id) {
  const Object* const object = objects_.find(id);
  if (object == nullptr || object->freed == 0) return false;
  move(cell, accesses_[object->freed]);
  return true;
}

void FastTrack::touch(RecentLine at, const Arrival& now, Spot spot) {
  const std::uint32_t number = spot.offset >> 3 & (kCells - 1);
  Line& line = *at.line;
  Access& last = at.cells[number];
  bool used = (line.used >> number & 1) != 0;
  if (!used) {
    line.used |= 1u << number;
    used = begin_cell(last, now.event.object);
  }
  if (used) {
    if (touch_alike(last, now, spot)) return;
    const bool kept_beside =
        last.next == 0 && !replaces(now.cls, race_class(last.kind, last.bits)) && is_before(last, now);
    used = kept_beside || !check_against(last, now, spot);
  }
  std::uint32_t beside = 0;
  if (used) {
    beside = accesses_.add_unset();
    if (beside == 0) {
      truncated_ = true;
      return;
    }
    move(accesses_[beside], last);
  }
  put(last, words_of(now, spot, beside));
}

void FastTrack::use(ObjectId id, Epoch epoch) {
  Object* object = object_at(id);
  if (object == nullptr) return;
  std::uint32_t mine = object->uses;
  while (mine != 0 && uses_[mine].epoch.slot != epoch.slot) mine = uses_[mine].next;
  if (mine == 0) {
    mine = uses_.add({epoch, object->uses});
    if (mine == 0) {
      truncated_ = true;
      return;
    }
    object->uses = mine;
  }
  uses_[mine].epoch = epoch;
}

// Nothing is left in it. What the thread itself did needs no comparison.
inline void FastTrack::free_cell(Access& cell, const Arrival& now, std::uint32_t offset) {
  if (cell.slot == now.epoch.slot) {
    while (cell.next != 0 && accesses_[cell.next].slot == now.epoch.slot) {
      const std::uint32_t gone = cell.next;
      cell.next = accesses_[gone].next;
      accesses_.remove(gone);
    }
    if (cell.next == 0) return;
  }
  (void)check_against(cell, now, {offset, 0xff});
}

void FastTrack::free_object(const Arrival& now) {
  const ObjectId id = now.event.object;
  Object* object = object_at(id);
  if (object == nullptr) return;
  for (std::uint32_t i = object->lines; i != 0;) {
    Line& line = lines_[i];
    for (std::uint32_t used = line.used; used != 0; used &= used - 1) {
      const auto number = static_cast<std::uint32_t>(std::countr_zero(used));
      free_cell(cell_of(i, number), now, line.number << kLineShift | number << 3);
    }
    if (line.number != 0) index_.erase(std::uint64_t{id} << 32 | line.number);
    const std::uint32_t next = line.next_in_object;
    lines_.remove(i);
    i = next;
  }
  object->lines = 0;
  object->first = 0;
  for (std::uint32_t i = object->uses; i != 0; i = uses_[i].next) {
    if (causality_.ordered(uses_[i].epoch)) continue;
    sink_.on_unordered_free(now.event);
    break;
  }
  for (RecentLine& recent : recent_) {
    if (recent.key >> 32 == id) recent = {};
  }
  if (object->freed != 0) return;
  object->freed = accesses_.add_unset();
  if (object->freed == 0) {
    truncated_ = true;
    return;
  }
  put(accesses_[object->freed], words_of(now, {0, 0xff}, 0));
}

inline void FastTrack::access_cell(const Arrival& now, Spot spot) {
  const RecentLine line = line_at(now.event.object, spot.offset >> kLineShift);
  if (line.line == nullptr) {
    truncated_ = true;
    return;
  }
  touch(line, now, spot);
}

// A mutex is taken and given back in one order: where nothing else was done to its word, the last one is all there is.
void FastTrack::move_mutex(const Event& e, std::uint64_t sequence, Epoch epoch) {
  const RecentLine line = e.object == 0 ? RecentLine{} : line_at(e.object, e.offset >> kLineShift);
  if (line.line == nullptr) {
    truncated_ = true;
    return;
  }
  const std::uint32_t number = e.offset >> 3 & (kCells - 1);
  Access& last = line.cells[number];
  const auto mask = static_cast<std::uint8_t>(((1u << kMutexWordBytes) - 1) << (e.offset & 7));
  const bool alone =
      (line.line->used >> number & 1) != 0 && last.next == 0 && last.mask == mask && moves_mutex(last.kind, last.bits);
  if (alone && last.slot == epoch.slot && last.tick == epoch.tick) return;
  const Arrival now = {e, sequence, epoch, AccessClass::kAtomicWrite};
  const Spot spot = {e.offset & ~7u, mask};
  if (alone) {
    put(last, words_of(now, spot, 0));
  } else {
    touch(line, now, spot);
  }
}

__attribute__((noinline)) void FastTrack::access(const Event& e, std::uint64_t sequence, Epoch epoch) {
  const Arrival now = {e, sequence, epoch, access_class(e)};
  if (e.object == 0) {  // memory without a name: different places would be taken for one
    truncated_ = true;
    return;
  }
  if (e.kind == OpKind::kHeapFree) return free_object(now);
  const std::uint32_t in_cell = e.offset & 7;
  if (in_cell + e.size <= 8) {  // almost always: one cell
    const unsigned mask = ((1u << e.size) - 1) << in_cell;
    if (mask != 0) access_cell(now, {e.offset & ~7u, static_cast<std::uint8_t>(mask)});
    return;
  }
  for_each_cell(e.offset, e.size, [&](std::uint32_t offset, std::uint8_t mask) { access_cell(now, {offset, mask}); });
}

// In one cell of it.
__attribute__((noinline)) void FastTrack::access_known_line(const Event& e, std::uint64_t sequence, Epoch epoch,
                                                            const RecentLine& at) {
  const auto mask = static_cast<std::uint8_t>(((1u << e.size) - 1) << (e.offset & 7));
  if (mask != 0) touch(at, {e, sequence, epoch, access_class(e)}, {e.offset & ~7u, mask});
}

// Two threads take turns at an atomic and order nothing by it: of each its latest access is kept. True: so they do
// here.
inline bool FastTrack::take_turn(Access& last, const Arrival& now, std::uint64_t when, Spot spot) {
  const std::uint32_t mine = last.next;
  if (mine == 0 || last.mask != spot.mask || !is_atomic(now.cls)) return false;
  Access& before = accesses_[mine];
  const AccessClass own = race_class(before.kind, before.bits);
  const bool alike = before.slot == now.epoch.slot && before.next == 0 && before.mask == spot.mask && is_atomic(own) &&
                     replaces(now.cls, own) && is_atomic(race_class(last.kind, last.bits));
  if (!alike || causality_.ordered({last.slot, last.tick})) return false;
  const AccessWords other = words_in(last);
  const std::uint64_t* const event = words_of_event(now.event);
  const std::uint64_t rest = std::uint64_t{spot.mask} << kNextBits | now.sequence << 32;
  put(before, {other.what, other.where, other.when, other.rest & ~((std::uint64_t{1} << kNextBits) - 1)});
  put(last, {event[0], event[2], when, rest | mine});
  return true;
}

// Everything in words: what it needs fits into registers.
void FastTrack::on_access(const Event& e, std::uint64_t sequence, Epoch epoch) {
  const AccessClass cls = access_class(e);
  if (cls == AccessClass::kNone) return;
  if (at_length_) return access(e, sequence, epoch);
  const std::uint64_t in_cell = e.offset & 7;
  const std::uint32_t line_number = e.offset >> kLineShift;
  const RecentLine& recent = recent_of(e.object, line_number);
  const std::uint32_t number = e.offset >> 3 & (kCells - 1);
  if (in_cell + e.size - 1 >= 8 || recent.key != key_of(e.object, line_number)) return access(e, sequence, epoch);
  if ((recent.line->used >> number & 1) == 0) return access_known_line(e, sequence, epoch, recent);
  Access& last = recent.cells[number];
  const std::uint64_t mask = ((std::uint64_t{1} << e.size) - 1) << in_cell << kNextBits;  // where Access has it
  const AccessWords old = words_in(last);
  const std::uint64_t what = words_of_event(e)[0];
  const std::uint64_t when = epoch.slot | std::uint64_t{epoch.tick} << 32;
  // The thread did something here, and has released nothing since.
  const bool same_time = ((old.when ^ when) & ~(std::uint64_t{0xff} << kSlotBits)) == 0;
  if (static_cast<std::uint16_t>(old.what) == static_cast<std::uint16_t>(what)) {
    if (same_time && (mask & ~old.rest) == 0) return;
  } else {
    const AccessClass last_class = race_class(last.kind, last.bits);
    if (same_time && last_class == cls && (mask & ~old.rest) == 0) return;
    if (!replaces(cls, last_class)) return access_known_line(e, sequence, epoch, recent);
  }
  if (static_cast<std::uint32_t>(old.rest) != mask || !causality_.knows({last.slot, last.tick})) {
    const Spot spot = {e.offset & ~7u, static_cast<std::uint8_t>(mask >> kNextBits)};
    if (take_turn(last, {e, sequence, epoch, cls}, when | in_cell << kSlotBits, spot)) return;
    return access_known_line(e, sequence, epoch, recent);
  }
  put(last, {what, words_of_event(e)[2], when | in_cell << kSlotBits, mask | sequence << 32});
}

}  // namespace ravel
