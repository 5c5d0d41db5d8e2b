// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Ravel authors
#include "statics/facts_text.h"

#include <fmt/format.h>

#include <map>
#include <set>

#include "model/text/printable.h"

namespace ravel {
namespace {

std::string plural(std::size_t count, std::string_view one, std::string_view many) {
  return fmt::format("{} {}", count, count == 1 ? one : many);
}

}  // namespace

std::string FactsText::place(const CodePlace& place, bool column) const {
  if (place.line == 0) return "?";
  std::string file = place.file;
  if (!folder_.empty() && file.compare(0, folder_.size() + 1, folder_ + "/") == 0) file.erase(0, folder_.size() + 1);
  std::string text = fmt::format("{}:{}", file, place.line);
  if (column && place.column != 0) text += fmt::format(":{}", place.column);
  return printable_line(text);
}

std::string FactsText::site(const Site& site) const {
  std::string text = fmt::format("{} {} {}", facts_.classes[site.thread_class].name,
                                 kSiteKindNames[static_cast<int>(site.kind)], place(site.place, true));
  if (site.context.line != 0) text += fmt::format(" (called at {})", place(site.context, false));
  return text;
}

std::string FactsText::summary(double seconds) const {
  std::string text =
      fmt::format("{}, {}", plural(facts_.sources.size(), "file", "files"),
                  plural(facts_.classes.empty() ? 0 : facts_.classes.size() - 1, "thread class", "thread classes"));
  for (std::size_t i = 1; i < facts_.classes.size(); ++i) {
    const ThreadClass& one = facts_.classes[i];
    text += fmt::format("{} {} {} {}{}", i == 1 ? ":" : ",", one.name, place(one.created_at, false),
                        printable_line(one.entry), one.many ? " (many)" : "");
  }
  text += fmt::format("; {:.1f} s\n", seconds);
  std::map<PairKind, std::size_t> counts;
  std::set<std::pair<std::string, unsigned>> lines;
  for (const SitePair& pair : facts_.pairs) {
    ++counts[pair.kind];
    for (const unsigned member : {pair.first, pair.second})
      lines.emplace(facts_.sites[member].place.file, facts_.sites[member].place.line);
  }
  text += fmt::format("can conflict in parallel: {} RW, {} MM, {} WM, {} WN, in {}\n", counts[PairKind::kRW],
                      counts[PairKind::kMM], counts[PairKind::kWM], counts[PairKind::kWN],
                      plural(lines.size(), "line", "lines"));
  if (facts_.coarse) text += "the budget ended: a coarser analysis answered, with more pairs than necessary\n";
  for (const std::string& reason : facts_.opaque) text += fmt::format("partial: {}\n", printable_line(reason));
  return text;
}

std::string FactsText::threads() const {
  std::string text;
  for (const ThreadClass& one : facts_.classes) {
    text += fmt::format("{}  {}", one.name, printable_line(one.entry));
    if (one.created_at.line != 0) text += fmt::format("  created at {}", place(one.created_at, false));
    if (one.context.line != 0) text += fmt::format(", called at {}", place(one.context, false));
    if (one.many) text += "  many";
    text += "\n";
  }
  return text;
}

std::string FactsText::pairs(std::optional<PairKind> kind) const {
  std::string text;
  for (const SitePair& pair : facts_.pairs) {
    if (kind && pair.kind != *kind) continue;
    text += fmt::format("{}  {}  --  {}  on {}{}\n", kPairKindNames[static_cast<int>(pair.kind)],
                        site(facts_.sites[pair.first]), site(facts_.sites[pair.second]), printable_line(pair.object),
                        pair.must ? "" : ", perhaps");
  }
  return text;
}

std::string FactsText::pairs_by_line(std::optional<PairKind> kind) const {
  using Line = std::pair<std::string, unsigned>;
  std::map<Line, std::set<Line>> partners;
  for (const SitePair& pair : facts_.pairs) {
    if (kind && pair.kind != *kind) continue;
    const CodePlace& a = facts_.sites[pair.first].place;
    const CodePlace& b = facts_.sites[pair.second].place;
    partners[{a.file, a.line}].emplace(b.file, b.line);
    partners[{b.file, b.line}].emplace(a.file, a.line);
  }
  std::string text;
  for (const auto& [line, others] : partners) {
    text += fmt::format("{}  with", place({line.first, line.second, 0}, false));
    for (const Line& other : others) text += fmt::format(" {}", place({other.first, other.second, 0}, false));
    text += "\n";
  }
  return text;
}

std::string FactsText::locks() const {
  std::map<std::string, std::set<std::string>> places;
  for (const Site& one : facts_.sites) {
    if (one.kind != SiteKind::kLock && one.kind != SiteKind::kReadLock) continue;
    for (const std::string& object : one.objects) places[object].insert(site(one));
  }
  std::string text;
  for (const auto& [lock, sites] : places) {
    text += fmt::format("{}\n", printable_line(lock));
    for (const std::string& one : sites) text += fmt::format("  {}\n", one);
  }
  return text;
}

std::string FactsText::warnings() const {
  std::string text;
  unsigned number = 0;
  for (const StaticWarning& warning : facts_.warnings) {
    text += fmt::format("warning {}  {}  {}\n", ++number, warning.kind, printable_line(warning.text));
    for (const unsigned one : warning.sites) text += fmt::format("  {}\n", site(facts_.sites[one]));
  }
  return text;
}

std::string FactsText::targets() const {
  std::string text;
  for (const StaticTarget& target : facts_.targets)
    text += fmt::format("{}  {}  {}\n", target.kind, place(target.place, true), printable_line(target.function));
  return text;
}

}  // namespace ravel
