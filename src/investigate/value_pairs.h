// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Ravel authors
//
// The conflicting accesses of one variable, pair by pair: in which orders they happen, and which of these orders fail.
// Every value schedule is run; pairs that only the static facts know are listed as never seen, with what is known.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "investigate/value_search.h"
#include "model/text/value_schedule.h"

namespace ravel {

struct PairSide {
  std::string thread;  // lineage; of a static pair: the name of its class
  std::string name;    // "T1"
  std::string operation;
  SourceLine place;
};

// Executions in which one order of the two occurred.
struct PairOrder {
  std::uint64_t schedules = 0;
  std::uint64_t failing = 0;
  std::string plan;     // of one that fails, else of one
  std::string failure;  // how it fails
};

struct ValuePair {
  std::string kind;  // RW, MM, WM, WN
  std::string object;
  PairSide first;
  PairSide second;
  PairOrder in_order;  // the first before the second
  PairOrder reversed;
  std::string never;  // not seen: why, as far as is known
};

struct PairsResult {
  std::vector<ValuePair> pairs;
  std::uint64_t schedules = 0;
  std::uint64_t failing = 0;
  std::uint64_t executions = 0;
  bool complete = false;
  bool interrupted = false;
  std::string note;
  std::string threads;  // which thread is called what: "T1 main.1, T2 main.2"
  std::string facts;    // what is to be said about them; empty: nothing
};

Result<PairsResult> examine_pairs(const std::string& variable, const ValueSearchRequest& request);

}  // namespace ravel
