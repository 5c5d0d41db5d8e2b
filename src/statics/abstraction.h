// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Ravel authors
//
// The lines of a program that a sliced search interleaves, as they grow from round to round (Noonan, "Slice-N-Dice
// algorithm implementation in JPF", BYU 2014). At first what the targets depend on in their own threads; then, for all
// of it that was not reached, the writes of any thread that decide whether it is, with what these depend on. Only
// operations on shared memory count, the targets, and the synchronisation around them: the locks that are held there
// and the notifications that are waited for. Writes whose order with all others is given, by the creation of threads
// and by joins, do not count.
//
// Decisive: fewer lines, a first approach. Of a target only the branches right before it and the values they use, of a
// write only itself; what decides whether such a write is reached does not come in.
#pragma once

#include <set>
#include <string>
#include <utility>
#include <vector>

#include "statics/facts.h"
#include "statics/slices.h"

namespace ravel {

using FileLine = std::pair<std::string, unsigned>;  // name of the file without its folders, line

class Abstraction {
 public:
  enum class Width { kDecisive, kSlice };

  // `targets`: nodes of each of them; `by_value`: they fail by the values they are given, a check does. `facts` live as
  // long as it. What is asked when the time `is_over` is answered in part.
  Abstraction(const Facts& facts, std::vector<std::vector<unsigned>> targets, Width width, bool by_value,
              IsOver is_over = {});

  // Places that threads of the classes `inside` can run and have not `reached` bring what decides about them. Yields
  // the lines that are new.
  std::set<FileLine> refine(const std::set<unsigned>& reached, const std::set<unsigned>& inside);
  // From decisive lines to whole slices; yields the lines that are new.
  std::set<FileLine> widen();
  [[nodiscard]] Width width() const { return width_; }

  [[nodiscard]] std::set<FileLine> lines() const;
  // Whether threads of the class can run a line of it.
  [[nodiscard]] bool concerns(unsigned thread_class) const;
  [[nodiscard]] bool runs_target(unsigned thread_class, std::size_t target) const;
  [[nodiscard]] bool runs_target(unsigned thread_class) const;
  [[nodiscard]] bool runs_function(unsigned thread_class, unsigned node) const {
    return parts_.runs(thread_class, node);
  }
  [[nodiscard]] bool is_target(unsigned node) const { return is_target_.count(node) != 0; }
  // Everything that it can become.
  [[nodiscard]] std::set<FileLine> closure() const;

  // The nodes that have certainly run when these lines were reached: those that do something there, and what comes
  // before and behind them without a branch. Targets never count.
  [[nodiscard]] std::set<unsigned> reached_nodes(const std::set<FileLine>& lines) const;

 private:
  Abstraction(const Abstraction& other, Width width);
  void begin();
  void add(unsigned node);
  void add_deciding(unsigned thread_class, const std::vector<unsigned>& nodes);
  [[nodiscard]] std::set<unsigned> conditions(unsigned thread_class, const std::vector<unsigned>& nodes) const;
  [[nodiscard]] bool is_shared(unsigned node) const;
  // Whether what decides about it comes in.
  [[nodiscard]] bool matters(unsigned node) const { return width_ == Width::kSlice || is_target(node); }
  void find_unordered();
  [[nodiscard]] bool may_come_anywhen(unsigned writer) const;
  void add_locks(std::set<FileLine>& lines) const;
  [[nodiscard]] FileLine line_of(const CodePlace& place) const;
  [[nodiscard]] std::set<FileLine> news(const std::set<FileLine>& before) const;
  [[nodiscard]] unsigned classes() const { return static_cast<unsigned>(facts_.graph.entries.size()); }

  const Facts& facts_;
  IsOver is_over_;
  SliceParts parts_;
  std::vector<std::vector<unsigned>> targets_;
  std::set<unsigned> is_target_;
  Width width_;
  bool by_value_;
  std::set<unsigned> nodes_;
  std::set<FileLine> creations_;         // lines that start threads
  std::set<FileLine> written_;           // lines with writes that are sites
  std::set<FileLine> unordered_writes_;  // ... that are not ordered with everything by creations and joins
};

}  // namespace ravel
