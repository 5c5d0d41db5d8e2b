// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Ravel authors
//
// What a search by goals has learned of pairs, beside the facts, for later runs of the same build (docs/adr/0120):
// PROGRAM.pairs. A hint: whatever is wrong with the file, it is left out, and one line says so.
#pragma once

#include <span>
#include <string>
#include <vector>

#include "model/kept_pair.h"
#include "model/text/result.h"

namespace ravel {

// Beside the facts, whatever they are called: never the same file.
std::string kept_pairs_path(const std::string& facts);

// Each pair once.
std::string kept_pairs_text(std::span<const KeptPair> pairs, const std::string& build_id);
// `name`: of the file, for messages.
Result<std::vector<KeptPair>> kept_pairs_from_text(const std::string& text, const std::string& build_id,
                                                   const std::string& name);

struct EarlierPairs {
  std::vector<KeptPair> pairs;
  std::string note;  // why they are not used; empty: they are, or there are none
};
EarlierPairs read_kept_pairs(const std::string& path, const std::string& build_id);
// Yields why it cannot be written; empty: it is.
std::string write_kept_pairs(const std::string& path, std::span<const KeptPair> pairs, const std::string& build_id);

}  // namespace ravel
