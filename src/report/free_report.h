// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Ravel authors
//
// What `ravel run --free` has to tell, as values, and its two forms.
#pragma once

#include <map>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include "driver/free_record.h"
#include "model/exit_code.h"
#include "report/finding.h"
#include "report/free_names.h"
#include "report/style.h"

namespace ravel {

// How a failure of a free run became a plan, or not.
struct PinReport {
  bool tried = false;
  bool pinned = false;
  std::string plan;
  std::string by;                // which way led there
  std::uint64_t executions = 0;  // controlled
  std::uint64_t replays = 0;
  std::uint64_t reproduced = 0;
  std::string nearest;  // what was seen instead, when it was not pinned
};

// A place of the code, and in how many runs there was noise at it.
struct NoiseBlame {
  std::string place;
  std::uint64_t failing_with = 0;
  std::uint64_t failing = 0;
  std::uint64_t passing_with = 0;
  std::uint64_t passing = 0;
  double p = 1;  // Fisher's exact test, one-sided, corrected by Holm
};

// Delays of one seeding, as far as they were recorded.
struct SeedingTotals {
  std::uint64_t delays = 0;
  std::uint64_t ended = 0;  // before the process did
  std::uint64_t ns = 0;     // of these
  std::uint64_t shortest_ns = ~std::uint64_t{0};
  std::uint32_t weakest = ~std::uint32_t{0};  // strengths
  std::uint32_t strongest = 0;
};

// What noise did in all runs together.
struct NoiseTotals {
  std::uint64_t injections = 0;
  std::uint64_t halts = 0;           // of haltOneThread that lasted until nobody else could run
  std::uint64_t halts_given_up = 0;  // ... that the watchdog ended
  std::uint64_t overlapping = 0;     // delays that began while another thread was delayed, as far as recorded
  std::map<std::string, std::uint64_t> by_place;
  std::map<std::string, SeedingTotals> by_seeding;
};
void add_noise(NoiseTotals& totals, const FreeRecord& record, FreeNames& names);

// Failures of the same kind at the same place.
struct FreeFinding {
  OutcomeKind kind = OutcomeKind::kNotRun;
  std::string message;
  std::string identity;    // of what a detector found: the same for the same defect in every run
  std::string detector;    // empty: the run itself failed
  bool heuristic = false;  // what the detector reports may be intended
  SourcePlace location;
  std::vector<std::string> details;
  std::uint64_t times = 0;                                    // runs
  std::uint64_t first_run = 0;                                // from 1
  std::string noise;                                          // of that run
  std::vector<std::pair<std::string, std::uint64_t>> noised;  // places of that run, most injections first
  std::string stdout_text;
  std::string stderr_text;
  std::string run_file;           // where it was saved
  std::vector<NoiseBlame> blame;  // places whose noise goes with the failure, most telling first
  PinReport pin;
};

// What is measured over all runs.
struct FreeCoverageReport {
  bool measured = false;
  std::uint64_t tasks = 0;
  std::string file;
};

struct FreeReport {
  std::string program;
  std::vector<std::string> arguments;
  std::string build_id;
  std::uint64_t seed = 0;
  std::string noise = "none";
  std::uint64_t runs = 0;    // that came to an end
  std::uint64_t failed = 0;  // of these
  std::uint64_t cut = 0;     // did not end within the limit
  NoiseTotals injected;
  std::vector<std::string> configurations;  // of random noise, run by run, the first 10 000
  std::uint64_t doubted = 0;                // runs about whose races nothing can be said
  std::string doubt;                        // why
  std::set<std::string> notes;
  bool incomplete = false;  // in some run not everything was recorded
  FreeHealingRecord healing;
  FreeCoverageReport coverage;
  std::vector<SuspectLine> suspects;  // tasks that are more frequent in runs that failed, most telling first
  double seconds = 0;
  double running = 0;  // of these the runs themselves
  bool interrupted = false;
  bool vacuous = false;
  std::string reason;
  ExitCode exit_code = kExitClean;
  std::vector<FreeFinding> findings;  // most frequent first
};

FreeFinding describe_free_failure(const FreeRecord& record, FreeNames& names);
[[nodiscard]] bool is_same_failure(const FreeFinding& a, const FreeFinding& b);

struct FreeText {
  Style style;
  bool show_output = true;
};
std::string free_summary(const FreeReport& report, const Style& style);
std::string free_finding_text(const FreeFinding& finding, const FreeReport& report, const FreeText& how);
std::string free_json(const FreeReport& report);

}  // namespace ravel
