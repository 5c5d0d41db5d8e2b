// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Ravel authors
//
// Can this order happen? The events of a sequence are held back until it is their turn, and what it leaves open is
// searched: feasible as soon as one execution keeps to it, infeasible only when the search was complete, else
// undecided. An execution that shows it feasible is run again in a fresh process before it is believed.
#pragma once

#include <chrono>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "driver/campaign_options.h"
#include "driver/program_image.h"
#include "investigate/campaign_request.h"
#include "investigate/sequence_expectation.h"
#include "investigate/standard_input.h"
#include "model/text/syn_text.h"

namespace ravel {

enum class SequenceEnd : std::uint8_t { kFeasible, kInfeasible, kUndecided };
inline constexpr std::string_view kSequenceEndNames[] = {"feasible", "infeasible", "undecided"};

// Where a thread stood when nobody could go on.
struct StoppedThread {
  std::string thread;     // lineage
  std::string operation;  // "lock m"
  std::string place;      // "bank.cpp:14"
  std::string reason;     // "held by main.1"; empty: nothing but the sequence holds it back
};

struct SequenceResult {
  SequenceEnd end = SequenceEnd::kUndecided;
  std::uint32_t event =
      0;  // infeasible: the first that could not come, from 1; one behind the last: the program goes on
  std::uint32_t line = 0;  // of the file
  std::string event_text;
  bool fits = false;                           // an execution kept to the sequence, whatever it ended in
  OutcomeKind outcome = OutcomeKind::kNotRun;  // feasible: how the execution ended
  std::string outcome_text;
  std::string output;         // ... what it printed
  std::string failure_class;  // by the specification; infeasible: `missing-path' or nothing
  std::string word;           // ... the order in its words
  std::string plan;           // feasible: a plan that shows it
  std::vector<StoppedThread> threads;
  std::uint64_t executions = 0;
  std::string note;  // why it is undecided
  bool as_expected = true;
  std::string expected;  // what was, if it is not
};

struct SequenceQuestion {
  const SynFile& file;
  std::string name;                  // of the file
  std::vector<std::string> program;  // with arguments
  const Validity* valid = nullptr;   // a specification to judge by
};

// `request` has budget, strategy and folder of plans.
Result<SequenceResult> test_sequence(const SequenceQuestion& question, const CampaignRequest& request);

// The campaign of `request` keeps to the sequence of a file.
Result<void> force_sequence(const std::string& path, CampaignOptions& campaign);

// The program and its arguments: those of the command line, else those of the file.
Result<std::vector<std::string>> program_of(const SynFile& file, const std::string& name,
                                            const std::vector<std::string>& given);
Result<SynFile> read_syn(const std::string& path);

}  // namespace ravel
