// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Ravel authors
//
// Locks of ranges of files (fcntl): what an owner has of a range, shared or alone, replaces what it had there, and
// never is in its own way. Neighbouring ranges of one kind are one. A lock of a whole file (flock) is one of all bytes.
// Whether a lock is free is the kernel's to say, since other processes have locks as well; this says who in the process
// has it.
#pragma once

#include <cstdint>
#include <limits>

namespace ravel {

enum class LockShare : std::uint8_t { kNone, kShared, kAlone };

struct ByteRange {
  std::int64_t first = 0;
  std::int64_t last = std::numeric_limits<std::int64_t>::max();  // inclusive; the greatest: however long the file gets
};
inline constexpr bool overlap(const ByteRange& a, const ByteRange& b) {
  return a.first <= b.last && b.first <= a.last;
}
inline constexpr bool touch(const ByteRange& a, const ByteRange& b) {
  return overlap(a, b) || (a.last < b.first ? a.last + 1 == b.first : b.last + 1 == a.first);
}

struct LockOwner {
  std::uint32_t file = 0;
  std::uint32_t owner = 0;  // kProcess, or the number of an open file

  static constexpr std::uint32_t kProcess = 0;
  friend constexpr bool operator==(const LockOwner&, const LockOwner&) = default;
};

template <unsigned kRoom>
class RecordLocks {
 public:
  // True: somebody else may get what he could not get before.
  bool set(const LockOwner& who, ByteRange range, LockShare share) {
    bool gives_up = false;
    for (unsigned i = 0; i < count_;) {
      Held held = locks_[i];
      const bool replaced = held.who == who && overlap(held.range, range);
      const bool joins = held.who == who && held.share == share && touch(held.range, range);
      if (!replaced && !joins) {
        ++i;
        continue;
      }
      remove(i);
      if (joins) {
        if (held.range.first < range.first) range.first = held.range.first;
        if (held.range.last > range.last) range.last = held.range.last;
        continue;
      }
      gives_up = gives_up || held.share > share;
      keep_rest(held, range);
    }
    if (share != LockShare::kNone) add({who, range, share});
    return gives_up;
  }

  // Does somebody else of this process have what stands in the way?
  [[nodiscard]] bool is_in_the_way(const LockOwner& who, const ByteRange& range, LockShare wanted) const {
    for (unsigned i = 0; i < count_; ++i) {
      const Held& held = locks_[i];
      if (held.who.file != who.file || held.who == who || !overlap(held.range, range)) continue;
      if (held.share == LockShare::kAlone || wanted == LockShare::kAlone) return true;
    }
    return false;
  }

  [[nodiscard]] bool has(const LockOwner& who) const {
    for (unsigned i = 0; i < count_; ++i) {
      if (locks_[i].who == who) return true;
    }
    return false;
  }

  [[nodiscard]] bool empty() const { return count_ == 0; }
  // False: there was no room for a lock, so nobody can tell who has it.
  [[nodiscard]] bool knows_all() const { return knows_all_; }

 private:
  struct Held {
    LockOwner who;
    ByteRange range;
    LockShare share = LockShare::kNone;
  };

  void add(const Held& held) {
    if (count_ == kRoom) {
      knows_all_ = false;
      return;
    }
    locks_[count_++] = held;
  }
  void remove(unsigned i) { locks_[i] = locks_[--count_]; }

  // What lies on both sides of the range.
  void keep_rest(const Held& held, const ByteRange& range) {
    if (held.range.first < range.first) add({held.who, {held.range.first, range.first - 1}, held.share});
    if (held.range.last > range.last) add({held.who, {range.last + 1, held.range.last}, held.share});
  }

  Held locks_[kRoom];
  unsigned count_ = 0;
  bool knows_all_ = true;
};

}  // namespace ravel
