// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Ravel authors
//
// Results of the shards of one campaign, as JSON texts, put together into one of the same form: sums, the union of the
// findings by fingerprint, complete only if every shard was there and complete.
#pragma once

#include <string>
#include <vector>

#include "model/text/result.h"

namespace ravel {

struct ShardText {
  std::string name;  // for messages
  std::string text;
};

struct MergedRuns {
  std::string json;
  std::string summary;  // a few lines for people
  ExitCode exit_code = kExitClean;
};

// Error: not results of `ravel run', or not shards of one campaign.
Result<MergedRuns> merge_runs(const std::vector<ShardText>& shards);

}  // namespace ravel
