// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Ravel authors
#include "report/validity_text.h"

#include <fmt/format.h>

#include <map>

#include "model/text/printable.h"

namespace ravel {
namespace {

std::string line_of(const std::string& what, const std::string& events, const std::string& file) {
  const std::string where = file.empty() ? "" : fmt::format("  ({})", printable_line(file));
  return fmt::format("{}: {}{}\n", what, printable_line(events.empty() ? "no event" : events), where);
}

}  // namespace

std::string validity_text(const ValidityReport& validity, const Style& style) {
  if (validity.specification.empty()) return {};
  std::map<std::string, std::size_t> counts;
  std::string text;
  for (const JudgedSequence& one : validity.sequences) {
    ++counts[one.found];
    if (one.found != "pass") text += line_of(style.bad(one.found), one.events, one.file);
  }
  for (const MissingSequence& one : validity.missing) text += line_of(style.bad("missing-path"), one.events, one.file);
  std::string summary = fmt::format("by {}:", printable_line(validity.specification));
  for (const auto& [found, count] : counts) summary += fmt::format(" {} {},", count, found);
  if (validity.not_judged != 0) summary += fmt::format(" {} not judged because the time ended,", validity.not_judged);
  summary += validity.all_known ? fmt::format(" {} missing-path\n", validity.missing.size())
                                : " missing paths are not known: the search was not complete\n";
  return text + summary;
}

}  // namespace ravel
