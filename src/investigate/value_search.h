// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Ravel authors
//
// Every value schedule of a program: a search that runs one execution of each trace, and each of them once more in a
// fresh process, where its accesses have names.
#pragma once

#include <chrono>
#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "driver/campaign_options.h"
#include "driver/campaign_result.h"
#include "driver/program_image.h"
#include "driver/replay.h"
#include "investigate/campaign_request.h"
#include "investigate/standard_input.h"
#include "model/text/value_schedule.h"
#include "report/names.h"

namespace ravel {

struct ValueSearchRequest {
  std::vector<std::string> program;  // with arguments
  std::string stdin_path;
  std::string strategy = "dpor";
  std::optional<std::uint64_t> iterations;
  std::chrono::milliseconds time{10'000};
  std::string output = ".ravel";     // folder of plans
  std::optional<OutcomeKind> first;  // executions that ended so are visited before the others
};

struct ValueSearchEnd {
  std::uint64_t executions = 0;
  std::uint64_t schedules = 0;  // that were run again
  bool complete = false;        // these are all
  bool interrupted = false;
  std::string note;  // why it is not complete
};

class ValueSearch {
 public:
  explicit ValueSearch(ValueSearchRequest request) : request_(std::move(request)) {}

  // `visit` is called for each; false ends the walk, and the result is not complete.
  using Visit = std::function<bool(const FoundOutcome& found, Names& names)>;
  Result<ValueSearchEnd> run(const Visit& visit);

  // Looks for one execution that has all these orders (threads by lineage), and visits it. Yields how many were run.
  Result<std::uint64_t> steer(const std::vector<ValueOrder>& orders, const Visit& visit);

  // A plan that brings the execution back; `about` says what it shows.
  Result<std::string> save(const FoundOutcome& found, Names& names, const std::string& about) const;

 private:
  Result<void> prepare();
  bool visit_again(const FoundOutcome& found, const Deadline& deadline, Symbolizer& symbolizer,
                   const Visit& visit) const;
  Result<void> visit_all(const CampaignResult& campaign, const Visit& visit, ValueSearchEnd& end);

  ValueSearchRequest request_;
  CampaignOptions campaign_;
  std::optional<ProgramImage> image_;
  std::optional<StandardInput> input_;
};

}  // namespace ravel
