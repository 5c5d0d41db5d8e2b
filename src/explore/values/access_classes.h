// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Ravel authors
//
// Access classes: what pairs and goals are about. A class is (thread, kind, place in the code, calling context); its
// instances are the operations that a thread executes there. Numbers are the same in all executions.
//
// Only grows; a row is written before a slot names it: needs no journal.
#pragma once

#include <atomic>
#include <cstdint>
#include <memory_resource>

#include "base/hash.h"
#include "base/zeroed_array.h"
#include "model/event.h"

namespace ravel::values {

using ClassId = std::uint32_t;
inline constexpr ClassId kNoClass = 0xffffffffu;

struct AccessClass {
  std::uint32_t thread = 0;  // its name (Steps)
  OpKind kind = OpKind::kNone;
  LocationId location = 0;
  ContextId context = 0;
  // Static facts say that there is such an operation, in whatever context; nobody has seen it.
  std::uint32_t assumed = 0;
};

class AccessClasses {
 public:
  static constexpr std::uint32_t kMost = 4096;

  explicit AccessClasses(std::pmr::memory_resource& memory)
      : rows_(static_cast<AccessClass*>(memory.allocate(sizeof(AccessClass) * kMost, alignof(AccessClass)))),
        slots_(memory, kSlots) {}

  // kNoClass: there are too many.
  ClassId id_of(const AccessClass& access) {
    const std::uint64_t key =
        hash_combine(hash_combine(access.thread, static_cast<std::uint64_t>(access.kind)),
                     hash_combine(access.location, access.context + (std::uint64_t{access.assumed} << 32)));
    std::uint32_t at = static_cast<std::uint32_t>(mix64(key)) & (kSlots - 1);
    for (;; at = (at + 1) & (kSlots - 1)) {
      if (slots_[at] == 0) break;
      const AccessClass& row = rows_[slots_[at] - 1];
      if (row.thread == access.thread && row.kind == access.kind && row.location == access.location &&
          row.context == access.context && row.assumed == access.assumed) {
        return slots_[at] - 1;
      }
    }
    if (count_ == kMost) return kNoClass;
    rows_[count_] = access;
    slots_.at(at) = ++count_;
    return count_ - 1;
  }
  [[nodiscard]] std::uint32_t count() const { return count_; }
  [[nodiscard]] const AccessClass& operator[](ClassId id) const { return rows_[id]; }

 private:
  static constexpr std::uint32_t kSlots = 4 * kMost;
  AccessClass* rows_;
  ZeroedArray<std::uint32_t> slots_;  // row + 1
  std::uint32_t count_ = 0;
};

// A relation between classes.
class ClassRelation {
 public:
  explicit ClassRelation(std::pmr::memory_resource& memory)
      : words_(memory, AccessClasses::kMost * kWords), used_(memory, AccessClasses::kMost) {}
  [[nodiscard]] bool has_any(ClassId a) const { return used_[a] != 0; }
  [[nodiscard]] bool has(ClassId a, ClassId b) const { return (words_[word(a, b)] >> (b & 63) & 1) != 0; }
  // Whether it is new.
  bool add(ClassId a, ClassId b) {
    if (has(a, b)) return false;
    used_.at(a) |= std::uint64_t{1} << (b / 64);
    std::atomic_signal_fence(std::memory_order_seq_cst);  // a killed process keeps the order of its stores
    words_.at(word(a, b)) |= std::uint64_t{1} << (b & 63);
    return true;
  }
  template <class Visit>
  void visit(ClassId a, std::uint32_t count, Visit&& visit) const {
    for (std::uint64_t used = used_[a]; used != 0; used &= used - 1) {
      const auto w = static_cast<std::uint32_t>(__builtin_ctzll(used));
      if (w * 64 >= count) return;
      for (std::uint64_t bits = words_[word(a, w * 64)]; bits != 0; bits &= bits - 1) {
        visit(static_cast<ClassId>(w * 64 + static_cast<std::uint32_t>(__builtin_ctzll(bits))));
      }
    }
  }

 private:
  static constexpr std::size_t kWords = AccessClasses::kMost / 64;
  static_assert(kWords == 64);
  static std::size_t word(ClassId a, ClassId b) { return std::size_t{a} * kWords + b / 64; }
  ZeroedArray<std::uint64_t> words_;
  ZeroedArray<std::uint64_t> used_;  // by class: which words of its row are not 0
};

}  // namespace ravel::values
