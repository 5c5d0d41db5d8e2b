// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Ravel authors
//
// Facts in words, for the console.
#pragma once

#include <limits>
#include <optional>
#include <set>
#include <string>
#include <vector>

#include "statics/facts.h"

namespace ravel {

// Paths below `folder` are shown without it.
class FactsText {
 public:
  FactsText(const Facts& facts, std::string folder) : facts_(facts), folder_(std::move(folder)) {}

  [[nodiscard]] std::string summary(double seconds) const;
  [[nodiscard]] std::string threads() const;
  [[nodiscard]] std::string pairs(std::optional<PairKind> kind) const;
  // Each line of the sources that takes part in a pair, with its partners' lines.
  [[nodiscard]] std::string pairs_by_line(std::optional<PairKind> kind) const;
  [[nodiscard]] std::string locks() const;
  // At most so many of each kind.
  [[nodiscard]] std::string warnings(std::size_t most = std::numeric_limits<std::size_t>::max()) const;
  [[nodiscard]] std::string targets() const;
  // From the start of each class of threads, in lines.
  [[nodiscard]] std::string distance(const std::vector<unsigned>& target) const;
  // What the target depends on, for each class of threads that can run it.
  [[nodiscard]] std::string slice(const std::vector<unsigned>& target) const;

  [[nodiscard]] std::string place(const CodePlace& place, bool column) const;

 private:
  [[nodiscard]] std::string site(const Site& site) const;
  [[nodiscard]] std::string lines_of(const std::set<unsigned>& nodes) const;

  const Facts& facts_;
  std::string folder_;
};

}  // namespace ravel
