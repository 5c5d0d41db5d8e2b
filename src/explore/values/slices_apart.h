// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Ravel authors
//
// Slices: groups of access classes whose orders cannot affect each other, so that a search may run the orders of one
// group after those of another instead of all combinations. Two classes are in one slice when they conflict, or when a
// thread that has observed something by one of them (a read, a lock, a wait) executes the other later: what it saw may
// decide what it does. What a thread has observed passes on to threads that it creates and to those that join it.
//
// Only grows: slices are united, never divided.
#pragma once

#include <cstdint>
#include <memory_resource>

#include "explore/values/access_classes.h"
#include "explore/values/execution_view.h"
#include "explore/values/learned_facts.h"

namespace ravel::values {

class SlicesApart {
 public:
  explicit SlicesApart(std::pmr::memory_resource& memory);

  // Behind LearnedFacts::learn.
  void learn(const ExecutionView& view, const LearnedFacts& facts, std::uint32_t classes);
  [[nodiscard]] std::uint64_t version() const { return version_; }
  // The class that stands for its slice.
  [[nodiscard]] ClassId slice_of(ClassId access) const;
  // The slice with a pair behind `last` (kNoClass: the first); kNoClass: there is none.
  [[nodiscard]] ClassId next_slice(ClassId last, std::uint32_t classes) const;

 private:
  static constexpr std::uint32_t kMaxColumns = 128;

  void unite(ClassId a, ClassId b);
  void pass_on(const ExecutionView& view, const Step& step);

  ClassId* parent_;  // by class; the root is the least of its slice
  bool* in_pair_;
  ClassId* observed_;  // by column: of the last learn
  std::uint64_t version_ = 0;
  std::uint64_t known_pairs_ = 0;
};

}  // namespace ravel::values
