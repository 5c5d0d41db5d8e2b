// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Ravel authors
//
// What all processes at one search have in common beside the tree: who has it at the moment, how much was counted, what
// went wrong, and the points it is about. When one of them finds a new point the search starts over for all: `restarts`
// goes up, and whoever comes back with an execution of an earlier search throws it away. Changed by the owner of the
// lock only, through its journal; zero is a search that has not begun. A single process has one of its own.
#pragma once

#include <atomic>
#include <cstddef>
#include <cstdint>
#include <memory_resource>
#include <span>

#include "base/invariant.h"
#include "base/journal.h"
#include "base/owner_lock.h"
#include "explore/strategy.h"
#include "model/execution.h"

namespace ravel {

struct CommonSearch {
  OwnerLock lock;
  std::uint64_t restarts = 0;
  std::uint64_t counted = 0;  // executions of this search
  std::uint8_t cut = 0;       // some run did not reach its end
  std::uint8_t too_big = 0;   // something did not fit into the tables
  std::uint8_t diverged = 0;  // two runs of one plan differed: the program is not deterministic
  Unmodelled unmodelled;      // an operation that did otherwise than the search can understand
  std::uint32_t points = 0;
  LocationId point_list[kMaxRacyLocations] = {};

  // May be asked by anybody.
  [[nodiscard]] bool is_at(std::uint64_t restart) {
    return std::atomic_ref<std::uint64_t>(restarts).load(std::memory_order_relaxed) == restart;
  }
  [[nodiscard]] bool sound() const {
    return cut == 0 && too_big == 0 && diverged == 0 && unmodelled.kind == OpKind::kNone;
  }

  void restart(Journal& journal, std::span<const LocationId> known) {
    journal.set(restarts, restarts + 1);
    journal.set(counted, std::uint64_t{0});
    for (std::uint8_t* flag : {&cut, &too_big, &diverged}) journal.set(*flag, std::uint8_t{0});
    journal.set(unmodelled, Unmodelled{});
    std::uint32_t count = points;
    for (const LocationId location : known) {
      std::uint32_t at = 0;
      while (at < points && point_list[at] != location) ++at;
      if (at == points && count < kMaxRacyLocations) point_list[count++] = location;
    }
    journal.set(points, count);
  }
};

// Hands out a range from its beginning, in every process the same. Nothing comes back.
class CommonMemory final : public std::pmr::memory_resource {
 public:
  explicit CommonMemory(std::span<unsigned char> range) : range_(range) {}

 private:
  void* do_allocate(std::size_t bytes, std::size_t alignment) override {
    const std::size_t at = (used_ + alignment - 1) / alignment * alignment;
    INVARIANT(at + bytes <= range_.size(), "the common memory has room for what a search has in common");
    used_ = at + bytes;
    return range_.data() + at;
  }
  void do_deallocate(void*, std::size_t, std::size_t) override {}
  bool do_is_equal(const std::pmr::memory_resource& other) const noexcept override { return this == &other; }

  std::span<unsigned char> range_;
  std::size_t used_ = 0;
};

}  // namespace ravel
