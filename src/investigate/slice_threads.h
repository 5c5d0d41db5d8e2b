// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Ravel authors
//
// The threads that executions of a sliced search have shown: which class of the static facts each may be of, and which
// of them is the next to be interleaved. Threads are known by their path in the tree of creations (model/slice.h).
#pragma once

#include <optional>
#include <set>
#include <string>
#include <vector>

#include "model/slice.h"
#include "statics/abstraction.h"
#include "statics/facts.h"
#include "statics/user_places.h"

namespace ravel {

class SliceThreads {
 public:
  // `places`: as GuideLists::places. All live as long as it.
  SliceThreads(const Facts& facts, const std::vector<UserPlace>& places) : facts_(facts), places_(places) {}

  // What one exploration has shown. Threads that only some schedules create come later than others.
  void take_in(const std::vector<SeenThread>& seen);

  [[nodiscard]] std::size_t count() const { return threads_.size(); }
  // "main", "setter() #2".
  [[nodiscard]] std::string label(std::size_t thread) const;
  // A thread that can run the target and is none of `taken`.
  [[nodiscard]] std::optional<std::size_t> for_target(const Abstraction& abstraction, std::size_t target,
                                                      const std::vector<std::size_t>& taken) const;
  // Of those outside that can run a line of the abstraction the best one to add: one that cannot reach a target before
  // one that can; then by what it was seen to do to memory that threads inside use, without a lock in common.
  [[nodiscard]] std::optional<std::size_t> to_add(const Abstraction& abstraction,
                                                  const std::vector<std::size_t>& inside) const;
  [[nodiscard]] std::set<unsigned> classes_of(const std::vector<std::size_t>& threads) const;
  // Lines at which they were in the last exploration.
  [[nodiscard]] std::set<FileLine> reached_by(const std::vector<std::size_t>& threads) const;
  // They and those that create them, creators first.
  [[nodiscard]] std::vector<SliceThread> list(const std::vector<std::size_t>& inside) const;

 private:
  struct One {
    ThreadName name = 0;
    std::size_t creator = 0;  // main: itself
    LocationId created_at = 0;
    std::vector<SeenMemory> memory;
    std::set<FileLine> lines;       // of all explorations
    std::set<FileLine> last_lines;  // ... of the last
    std::set<unsigned> classes;
  };

  [[nodiscard]] std::size_t find(ThreadName name) const;
  [[nodiscard]] std::set<unsigned> classes_for(const One& one) const;
  [[nodiscard]] std::set<FileLine> lines_of(const SeenThread& seen) const;
  // Memory that both use, one of them writing, without a lock in common.
  static unsigned conflicts(const One& a, const One& b);

  const Facts& facts_;
  const std::vector<UserPlace>& places_;
  std::vector<One> threads_;
};

}  // namespace ravel
