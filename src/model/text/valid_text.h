// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Ravel authors
//
// Which orders of events a specification allows (docs/syn-format.md): names for operations, and an expression or a
// table of moves over these names. Events without a name are hidden. Text comes from users: errors name file and line.
#pragma once

#include <cstdint>
#include <map>
#include <set>
#include <string>
#include <string_view>
#include <vector>

#include "model/operation.h"
#include "model/text/result.h"

namespace ravel {

inline constexpr std::size_t kMaxValidBytes = std::size_t{1} << 20;

using ValidWord = std::vector<std::string>;

class Validity {
 public:
  struct Name {
    std::string name;
    OpKind kind = OpKind::kNone;
    std::string object;  // of a mark: its name
  };

  static Result<Validity> parse(std::string_view text, const std::string& file);

  [[nodiscard]] const std::vector<Name>& names() const { return names_; }
  // What ravel::observe() has to say in the end, by name.
  [[nodiscard]] const std::map<std::string, std::string>& results() const { return results_; }
  [[nodiscard]] bool allows(const ValidWord& word) const;
  // Allowed orders of the same events. `all' becomes false when there are more than it has looked for.
  [[nodiscard]] std::vector<ValidWord> orders_of(const ValidWord& word, bool& all) const;

 private:
  friend class ValidParser;
  using States = std::set<std::uint32_t>;

  [[nodiscard]] States begin() const { return closed({start_}); }
  [[nodiscard]] States closed(States states) const;
  [[nodiscard]] States after(const States& states, const std::string& name) const;
  [[nodiscard]] bool ends_in(const States& states) const;
  struct Orders {
    std::map<std::string, unsigned> left;
    ValidWord begun;
    std::vector<ValidWord> out;
    std::size_t steps = 0;
  };
  static constexpr std::size_t kMostSteps = 1'000'000;
  static constexpr std::size_t kMostOrders = 10'000;
  void extend(const States& states, Orders& orders) const;

  std::vector<Name> names_;
  std::map<std::string, std::string> results_;
  // States by number; a move without a name costs no event.
  std::multimap<std::uint32_t, std::pair<std::string, std::uint32_t>> moves_;
  std::set<std::uint32_t> ends_;
  std::uint32_t start_ = 0;
};

}  // namespace ravel
