// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Ravel authors
//
// Findings that are known and suppressed, in the sanitizers' grammar: a line is `class:pattern', `#' begins a
// comment. The class is a kind of finding (data-race, deadlock, lost-signal), a detector's name, `race' for data races,
// `race_top' where only the innermost function counts, `called_from_lib' where only libraries among the callers do,
// `mutex' for misuse, or `*'. The pattern is looked for in the names of functions, files, modules and objects of the
// finding's events and their callers: anywhere, `*' stands for any text,
// `^' and `$' hold it to the beginning and the end.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "model/text/result.h"
#include "report/names.h"

namespace ravel {

struct Suppression {
  std::string type;
  std::string pattern;
  std::string where;     // "FILE:3"
  bool shipped = false;  // came with Ravel: not reported when unused
  std::uint64_t used = 0;
};

class Suppressions {
 public:
  // Appends the lines of a file. The error names the line that is none.
  Result<void> add_file(const std::string& path, bool shipped);
  Result<void> add_text(std::string_view text, const std::string& name, bool shipped);

  // Takes out of `record`, which `names` are of, the races and detections that are suppressed.
  void leave_out(ExecutionRecord& record, Names& names);
  // Whether the way the execution ended is suppressed.
  bool covers_outcome(Names& names);

  // Something but data races and what detectors find: then a failure need not end a campaign.
  [[nodiscard]] bool concerns_outcomes() const;
  // A line for each that matched nothing, of those that did not come with Ravel; and one on what was left out.
  [[nodiscard]] std::vector<std::string> notes() const;
  [[nodiscard]] const std::vector<Suppression>& all() const { return list_; }

 private:
  bool matches(std::string_view kind, std::string_view detector, const std::vector<Event>& events, Names& names);

  std::vector<Suppression> list_;
};

// `*' for any text, `^' and `$' at the ends; else anywhere within `text'.
// The whole text; `*' stands for any.
bool matches_whole(std::string_view pattern, std::string_view text);
bool matches_pattern(std::string_view pattern, std::string_view text);

}  // namespace ravel
