// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Ravel authors
//
// Greybox search guided by what reads see: Wolff, Shi, Duck, Mathur, Roychoudhury, "Greybox fuzzing for concurrency
// testing", ASPLOS 2024. An abstract schedule is a short list of wishes: this read sees that write, or does not; the
// policy (runtime/policy/reads_from_policy.cc) steers towards it. Executions that show a pair of read and write that
// nobody has seen, or a new combination of pairs, leave their schedule in a corpus; further ones are made from it by
// inserting, deleting, negating and swapping wishes. Which pairs are new is also what other ways to explore are
// rewarded for.
//
// Departures: an abstract event is a place of the code (which has a kind) and its object the one it touched when the
// pair was first seen, without calling contexts; a parent is the rarer of two that were drawn, by how often its
// combination of pairs was seen, instead of a power schedule by stages; every fourth execution has no wishes. Of locks,
// conditions and the like every operation is a read and a write: it sees who was there last.
//
// Bounded: when the tables are full nothing is new any more. Kill-safe: all that is learned changes through the
// journal.
#pragma once

#include <cstdint>
#include <memory_resource>

#include "base/journal.h"
#include "base/random.h"
#include "explore/strategy.h"

namespace ravel {

class ReadsFromSearch {
 public:
  explicit ReadsFromSearch(std::pmr::memory_resource& memory);

  // Calls of learn() and of look_at() that were committed.
  [[nodiscard]] std::uint64_t steps() const { return journal_.steps(); }
  // Policy of the execution with this number; everything else about it follows from `random`.
  void fill(PolicySpec& policy, std::uint64_t number, Random& random) const;
  // An execution whose plan fill() made. How many pairs nobody had seen.
  std::uint32_t learn(const Execution& execution);
  // The same, but what is worth keeping is a task of a metric that nobody has covered, or a new set of tasks.
  void learn_tasks(const Execution& execution);
  // An execution of another kind: only its pairs count.
  std::uint32_t look_at(const Execution& execution);
  void recover(std::uint64_t steps) { journal_.recover(steps); }

 private:
  struct Pair {
    LocationId read = 0;
    LocationId write = 0;
    std::uint64_t place = 0;
  };
  struct Kept {  // a schedule of the corpus
    ReadsFrom from[kMaxReadsFrom] = {};
    std::uint32_t signature = 0;  // slot
  };
  struct Signature {
    std::uint64_t key = 0;
    std::uint64_t times = 0;
  };
  struct LastWrite {  // scratch
    std::uint64_t place = 0;
    std::uint64_t scan = 0;
    LocationId location = 0;
  };

  // The sum over all pairs, whatever their order.
  std::uint64_t scan(const TraceView& trace);
  void add(const Pair& pair);
  void keep(const Execution& execution, std::uint64_t key, bool fresh);
  [[nodiscard]] const Kept& rarer(Random& random) const;
  [[nodiscard]] ReadsFrom wish(Random& random) const;
  void mutate(ReadsFrom (&from)[kMaxReadsFrom], Random& random) const;

  Journal journal_;
  Pair* pairs_;
  std::uint32_t* pair_slots_;  // place in the list + 1
  Kept* kept_;
  Signature* signatures_;
  LastWrite* last_;
  std::uint64_t scans_ = 0;  // tells old entries of last_; goes on after a kill
  std::uint32_t pair_count_ = 0;
  std::uint32_t kept_count_ = 0;
};

}  // namespace ravel
