// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Ravel authors
//
// Which points were made before, by the path that leads to them and what waits there. A search that starts over makes
// the points of its first execution again; these are no new states.
//
// Changed through the journal. When there is no room left everything is new.
#pragma once

#include <cstdint>
#include <memory_resource>

#include "base/hash.h"
#include "base/journal.h"
#include "base/zeroed_array.h"
#include "explore/values/points.h"

namespace ravel::values {

class PointsMet {
 public:
  PointsMet(std::pmr::memory_resource& memory, Journal& journal) : journal_(journal), keys_(memory, kSlots) {}

  // `path`: a hash of the choices before it. `after`: the target that has just come; kNoClass: none has.
  void add(std::uint64_t path, const Point& point, ClassId after) {
    const std::uint64_t what = hash_combine(point.access, hash_combine(point.thread, after));
    const std::uint64_t place = hash_combine(point.depth, static_cast<std::uint64_t>(point.kind));
    const std::uint64_t key = hash_combine(path, hash_combine(what, place)) | 1;
    const std::uint64_t slot = slot_of(key);
    if (keys_[slot] == key) return;
    ++count_;
    if (entered_ == kSlots / 2 || !journal_.has_room(16)) return;
    journal_.set(keys_.at(slot), key);
    journal_.set(entered_, entered_ + 1);
  }
  // Of points that were new. Not journalled: who counts takes differences.
  [[nodiscard]] std::uint64_t count() const { return count_; }

 private:
  static constexpr std::uint32_t kSlots = 1u << 17;

  [[nodiscard]] std::uint64_t slot_of(std::uint64_t key) const {
    std::uint64_t at = mix64(key) % kSlots;
    while (keys_[at] != 0 && keys_[at] != key) at = (at + 1) % kSlots;
    return at;
  }

  Journal& journal_;
  ZeroedArray<std::uint64_t> keys_;  // hashes, open addressing; 0: free
  std::uint32_t entered_ = 0;
  std::uint64_t count_ = 0;
};

}  // namespace ravel::values
