// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Ravel authors
#include "detect/fasttrack.h"

namespace ravel {

namespace {
constexpr std::uint32_t kMaxUses = 1u << 16;
}

FastTrack::FastTrack(std::pmr::memory_resource& memory, Causality& causality, RaceSink& sink,
                     const FastTrackLimits& limits)
    : causality_(causality),
      sink_(sink),
      accesses_(memory, limits.accesses),
      cells_(memory, limits.cells),
      index_(memory, 1u << 12, limits.cells * 2),
      objects_(memory, limits.objects),
      uses_(memory, kMaxUses) {}

void FastTrack::begin() {
  accesses_.clear();
  cells_.clear();
  index_.clear();
  objects_.clear();
  uses_.clear();
  last_key_ = 0;
  last_cell_ = 0;
  truncated_ = false;
}

inline FastTrack::Access FastTrack::access_of(const Event& e, std::uint64_t sequence, Epoch epoch, std::uint32_t cell,
                                              std::uint8_t mask) {
  Access access{};
  access.tick = epoch.tick;
  access.slot = epoch.slot & ((1u << kSlotBits) - 1);
  access.size = e.size & ((1u << (32 - kSlotBits)) - 1);
  access.thread = e.thread;
  access.location = e.location;
  access.context = e.context;
  access.sequence = static_cast<std::uint32_t>(sequence);
  access.mask = mask;
  access.kind = e.kind;
  access.bits = e.bits;
  const std::int64_t start = static_cast<std::int64_t>(e.offset) - cell;
  access.start = static_cast<std::int8_t>(start < -128 ? -128 : start);
  return access;
}

std::uint32_t FastTrack::keep(const Access& access) {
  const std::uint32_t index = accesses_.add(access);
  if (index == 0) truncated_ = true;
  return index;
}

// Cells of an object are linked, so that a free finds them. In a freed object, a cell begins with the free in it.
std::uint32_t FastTrack::new_cell(std::uint64_t key) {
  const auto id = static_cast<ObjectId>(key >> 32);
  Object* object = objects_.find(id);
  if (object == nullptr) {
    if (id >= objects_.capacity()) return 0;
    object = &objects_.insert(id, Object{});
  }
  Cell cell{key, 0, object->cells};
  if (object->freed != 0) {
    Access freed = accesses_[object->freed];
    freed.mask = 0xff;
    freed.next = 0;
    cell.accesses = accesses_.add(freed);
    if (cell.accesses == 0) return 0;
  }
  const std::uint32_t index = cells_.add(cell);
  if (index != 0) object->cells = index;
  return index;
}

void FastTrack::report(const Access& first, const Event& e, std::uint64_t sequence, std::uint32_t cell,
                       std::uint8_t mask) {
  if (causality_.exhausted()) {
    truncated_ = true;
    return;
  }
  RaceRecord race;
  race.first.kind = first.kind;
  race.first.bits = first.bits;
  race.first.size = static_cast<std::uint16_t>(first.size);
  race.first.thread = first.thread;
  race.first.object = e.object;
  if (first.kind != OpKind::kHeapFree) {
    race.first.offset = cell + static_cast<std::uint32_t>(static_cast<std::int32_t>(first.start));
  }
  race.first.location = first.location;
  race.first.context = first.context;
  race.first_seq = first.sequence;
  race.second = e;
  race.second_seq = sequence;
  sink_.on_race(race, cell, mask);
}

// Reports what races with `e` on the masked bytes; forgets what `e` replaces.
__attribute__((noinline)) void FastTrack::check_against(Cell& cell, const Event& e, std::uint64_t sequence, Epoch epoch,
                                                        AccessClass cls, std::uint8_t mask) {
  std::uint32_t* link = &cell.accesses;
  while (*link != 0) {
    const std::uint32_t index = *link;
    Access& old = accesses_[index];
    if ((old.mask & mask) == 0) {
      link = &old.next;
      continue;
    }
    const AccessClass old_class = access_class(old.kind, old.bits);
    const bool ordered = old.slot == epoch.slot || causality_.ordered({old.slot, old.tick});
    if (!ordered && conflict(old_class, cls)) {
      report(old, e, sequence, static_cast<std::uint32_t>(cell.key), static_cast<std::uint8_t>(old.mask & mask));
    }
    if (replaces(cls, old_class) && (ordered || cls == AccessClass::kPlainWrite)) {
      old.mask = static_cast<std::uint8_t>(old.mask & ~mask);
      if (old.mask == 0) {
        *link = old.next;
        accesses_.remove(index);
        continue;
      }
    }
    link = &old.next;
  }
}

// Memory that one thread alone touched lately needs no comparison of clocks. True: the access is kept.
inline bool FastTrack::touch_own(Access& last, const Event& e, std::uint64_t sequence, Epoch epoch,
                                 std::uint32_t offset, AccessClass cls, std::uint8_t mask) {
  const AccessClass last_class = access_class(last.kind, last.bits);
  // Nobody touched the cell since this thread did the same, and the thread released nothing in between.
  if (last.tick == epoch.tick && (mask & ~last.mask) == 0 && last_class == cls) return true;
  if (last.mask != mask || !replaces(cls, last_class)) return false;
  if (last.next != 0) {  // a read and the write before it, usually
    const Access& before = accesses_[last.next];
    const bool replaced = before.slot == epoch.slot && before.mask == mask && before.next == 0 &&
                          replaces(cls, access_class(before.kind, before.bits));
    if (!replaced) return false;
    accesses_.remove(last.next);
  }
  last = access_of(e, sequence, epoch, offset, mask);  // one record, always the latest
  return true;
}

inline void FastTrack::touch(Cell& cell, const Event& e, std::uint64_t sequence, Epoch epoch, AccessClass cls,
                             std::uint8_t mask) {
  const auto offset = static_cast<std::uint32_t>(cell.key);
  if (cell.accesses != 0) {
    Access& last = accesses_[cell.accesses];
    const bool own = last.slot == epoch.slot;
    if (own && touch_own(last, e, sequence, epoch, offset, cls, mask)) return;
    const bool kept_beside = own && last.next == 0 && !replaces(cls, access_class(last.kind, last.bits));
    if (!kept_beside) check_against(cell, e, sequence, epoch, cls, mask);
  }
  Access access = access_of(e, sequence, epoch, offset, mask);
  access.next = cell.accesses;
  if (const std::uint32_t index = keep(access)) cell.accesses = index;
}

void FastTrack::use(ObjectId id, Epoch epoch) {
  Object* object = objects_.find(id);
  if (object == nullptr) {
    if (id >= objects_.capacity()) return;
    object = &objects_.insert(id, Object{});
  }
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

void FastTrack::free_object(const Event& e, std::uint64_t sequence, Epoch epoch) {
  Object* object = objects_.find(e.object);
  if (object == nullptr) {
    if (e.object >= objects_.capacity()) return;
    object = &objects_.insert(e.object, Object{});
  }
  for (std::uint32_t i = object->cells; i != 0;) {
    Cell& cell = cells_[i];
    check_against(cell, e, sequence, epoch, AccessClass::kPlainWrite, 0xff);  // leaves none
    index_.erase(cell.key);
    const std::uint32_t next = cell.next_in_object;
    cells_.remove(i);
    i = next;
  }
  object->cells = 0;
  for (std::uint32_t i = object->uses; i != 0; i = uses_[i].next) {
    if (causality_.ordered(uses_[i].epoch)) continue;
    sink_.on_unordered_free(e);
    break;
  }
  last_key_ = 0;  // a key of object 0, which has no cells
  last_cell_ = 0;
  if (object->freed == 0) object->freed = keep(access_of(e, sequence, epoch, 0, 0xff));
}

// 0: no room for one more.
inline std::uint32_t FastTrack::cell_at(std::uint64_t key) {
  if (key == last_key_) return last_cell_;
  std::uint32_t* index = index_.claim(key);
  if (index == nullptr) return 0;
  if (*index == 0) *index = new_cell(key);
  last_key_ = key;
  return last_cell_ = *index;
}

inline void FastTrack::access_cell(std::uint32_t offset, std::uint8_t mask, const Event& e, std::uint64_t sequence,
                                   Epoch epoch, AccessClass cls) {
  const std::uint32_t index = cell_at((static_cast<std::uint64_t>(e.object) << 32) | offset);
  if (index == 0) {
    truncated_ = true;
    return;
  }
  touch(cells_[index], e, sequence, epoch, cls, mask);
}

void FastTrack::access(const Event& e, std::uint64_t sequence, Epoch epoch, AccessClass cls) {
  if (e.object == 0) {  // memory without a name: different places would be taken for one
    truncated_ = true;
    return;
  }
  if (e.kind == OpKind::kHeapFree) {
    free_object(e, sequence, epoch);
    return;
  }
  const std::uint32_t in_cell = e.offset & 7;
  if (in_cell + e.size <= 8) {  // almost always: one cell
    const unsigned mask = ((1u << e.size) - 1) << in_cell;
    if (mask != 0) access_cell(e.offset & ~7u, static_cast<std::uint8_t>(mask), e, sequence, epoch, cls);
    return;
  }
  for_each_cell(e.offset, e.size,
                [&](std::uint32_t offset, std::uint8_t mask) { access_cell(offset, mask, e, sequence, epoch, cls); });
}

}  // namespace ravel
