// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Ravel authors
//
// What readers of test files share, be they orders of synchronisation (.syn) or of accesses: the version, the program
// and its input, names of threads, and what is expected of the test.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "model/text/line_parser.h"
#include "model/text/near_names.h"
#include "model/text/syn_text.h"

namespace ravel {

// A word as it stands in the file, for statements in which its parts mean nothing.
inline std::string whole_text(const LineWord& word) {
  return word.text;
}

template <class Word>
class TestFileParser : protected LineParser<Word> {
 protected:
  using Base = LineParser<Word>;
  using Base::bad, Base::line_, Base::missing, Base::too_many, Base::words_;
  using Aliases = std::vector<std::pair<std::string, std::string>>;

  static constexpr std::size_t kMostArguments = 4096;

  explicit TestFileParser(std::string name) : Base(std::move(name)) {}

  // FORMAT N, the first line.
  bool version(const std::string& format, unsigned number) {
    const std::string wanted = std::to_string(number);
    if (words_[0].text != format) return bad(words_[0], "`" + format + " " + wanted + "'");
    if (words_.size() < 2) return missing("a version");
    if (words_[1].text != wanted) return bad(words_[1], "version " + wanted);
    versioned_ = true;
    return too_many(2);
  }

  // A statement with one value, which stands once in a file.
  bool field(std::string& value) {
    if (!value.empty()) return bad(words_[0], "one `" + words_[0].text + "'");
    value = whole_text(words_[1]);
    return too_many(2);
  }
  bool argument(std::vector<std::string>& arguments) {
    if (arguments.size() == kMostArguments) return bad(words_[0], "fewer arguments");
    arguments.push_back(whole_text(words_[1]));
    return too_many(2);
  }
  // NAME and what it stands for.
  bool alias(Aliases& to, std::size_t most, const char* expected, bool (*is_good)(std::string_view)) {
    if (words_.size() < 3) return missing(expected);
    const std::string meant = whole_text(words_[2]);
    if (!is_good(meant)) return bad(words_[2], expected);
    for (const auto& known : to) {
      if (known.first == words_[1].text) return bad(words_[1], "a name that is not taken");
    }
    if (to.size() == most) return bad(words_[0], "fewer names");
    to.emplace_back(words_[1].text, meant);
    return too_many(3);
  }
  bool thread(Aliases& to, std::size_t most) { return alias(to, most, "a lineage such as main.1", is_lineage); }

  // expect feasible|infeasible [at N], or an outcome; `what' is counted by N: "event". `choices': what may be expected.
  bool expectation(SynExpectation& expect, const std::string& what, std::uint32_t most,
                   const std::string& choices = "feasible, infeasible or an outcome") {
    if (words_.size() < 2) return missing(choices);
    const std::string& word = words_[1].text;
    expected_line_ = line_;
    if (word == "feasible" || word == "infeasible") {
      if (expect.verdict) return bad(words_[1], "one verdict");
      expect.verdict = word == "feasible" ? SynVerdict::kFeasible : SynVerdict::kInfeasible;
      if (words_.size() == 2) return true;
      if (word == "feasible" || words_[2].text != "at") return bad(words_[2], "the end of the line");
      if (words_.size() < 4) return missing("the number of an " + what);
      const auto number = number_of<std::uint32_t>(words_[3].text, most);
      if (!number || *number == 0) return bad(words_[3], "the number of an " + what + ", from 1");
      expect.at = *number;
      return too_many(4);
    }
    const auto outcome = index_of(kOutcomeNames, word);
    if (!outcome) {
      return bad(words_[1], choices, near_hint(word, kOutcomeNames, "see `ravel list'"));
    }
    if (expect.outcome) return bad(words_[1], "one outcome");
    expect.outcome = static_cast<OutcomeKind>(*outcome);
    return too_many(2);
  }
  // Behind the last line: `last' is the largest number that `expect infeasible at' may have.
  bool check_expectation(const SynExpectation& expect, const std::string& what, std::size_t last) {
    line_ = expected_line_;
    if (expect.at > last) return bad(1, "the number of an " + what + " of the file", "a larger one");
    const bool ends = expect.outcome || expect.output || expect.valid;
    const bool both = expect.verdict == SynVerdict::kInfeasible && ends;
    return !both || bad(1, "`infeasible' or how the execution ends", "both");
  }

  std::uint32_t expected_line_ = 0;  // of the last `expect'
  bool versioned_ = false;
};

}  // namespace ravel
