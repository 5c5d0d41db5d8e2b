// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Ravel authors
//
// The races of one execution as reachability testing sees them (explore/race_sets.h), in words: what each object
// completed, what else it was open to, which other calls could have been completed instead; and the table of all ways
// to change some of them, with the sequence that is left of each.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "driver/replay.h"
#include "model/text/result.h"
#include "report/sequence.h"

namespace ravel {

struct SequenceRaces {
  struct Entry {
    std::string object;          // what received the call
    std::uint32_t position = 0;  // on it, from 1
    std::string call;            // "main.1#2 lock"; empty: a choice
    std::vector<std::string> open;
    std::vector<std::string> races;  // calls that could have been received instead
  };
  std::vector<Entry> events;           // in the order of the execution
  std::vector<std::string> waiting;    // calls that were never received
  std::vector<std::size_t> columns;    // events that can be changed
  std::vector<std::vector<int>> rows;  // one digit per column: 0 as it was, n the n-th race, -1 it is left out
  std::vector<std::vector<std::string>> variants;  // of each row: "object#n <- call"
  bool all = true;                                 // false: there are more rows
  std::string note;                                // an operation that cannot be reasoned about
};

// Of an execution that `names' is about.
Result<SequenceRaces> sequence_races(Names& names, const ReplayedSteps& steps, const PlanSpec& plan);

}  // namespace ravel
