// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Ravel authors
#include "statics/facts_text.h"

#include <fmt/format.h>

#include <map>
#include <set>

#include "model/text/printable.h"
#include "statics/distances.h"
#include "statics/slices.h"

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
  const std::size_t threads = facts_.classes.size() - (facts_.any_thread ? 1 : 0);
  std::string text = fmt::format("{}, {}", plural(facts_.sources.size(), "file", "files"),
                                 plural(threads == 0 ? 0 : threads - 1, "thread class", "thread classes"));
  for (std::size_t i = 1; i < threads; ++i) {
    const ThreadClass& one = facts_.classes[i];
    text += fmt::format("{} {} {} {}{}", i == 1 ? ":" : ",", one.name, place(one.created_at, false),
                        printable_line(one.entry),
                        one.assumed ? " (assumed)"
                        : one.many  ? " (many)"
                                    : "");
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
  if (facts_.by_line) text += "the operations of one kind in a line are one, for brevity\n";
  if (facts_.any_thread) text += "there are too many pairs to distinguish threads: those of any thread are shown\n";
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
    if (one.assumed) text += "  assumed";
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

std::string FactsText::warnings(std::size_t most) const {
  std::string text;
  unsigned number = 0;
  std::map<std::string, std::size_t> of_kind;
  for (const StaticWarning& warning : facts_.warnings) {
    ++number;
    if (++of_kind[warning.kind] > most) continue;
    text += fmt::format("warning {}  {}  {}\n", number, warning.kind, printable_line(warning.text));
    for (const unsigned one : warning.sites) text += fmt::format("  {}\n", site(facts_.sites[one]));
  }
  for (const auto& [kind, count] : of_kind) {
    if (count > most) text += fmt::format("{} more of kind {}: --list warnings\n", count - most, kind);
  }
  return text;
}

std::string FactsText::targets() const {
  std::string text;
  for (const StaticTarget& target : facts_.targets)
    text += fmt::format("{}  {}  {}\n", target.kind, place(target.place, true), printable_line(target.function));
  return text;
}

std::string FactsText::distance(const std::vector<unsigned>& target) const {
  const Distances distances(facts_.graph, target);
  std::string text;
  for (std::size_t i = 0; i < facts_.classes.size(); ++i) {
    std::uint64_t least = kUnreachable;
    for (const unsigned entry : facts_.graph.entries[i])
      least = std::min(least, distances.deeper(facts_.graph.functions[entry].entry));
    const std::string far = least == kUnreachable ? "never gets there" : plural(least, "line", "lines");
    text += fmt::format("{}  {}  {}\n", facts_.classes[i].name, far, printable_line(facts_.classes[i].entry));
  }
  return text;
}

// Lines, each once, in the order of the sources.
std::string FactsText::lines_of(const std::set<unsigned>& nodes) const {
  std::set<std::pair<std::string, unsigned>> lines;
  for (const unsigned node : nodes) {
    const CodePlace& at = facts_.graph.nodes[node].place;
    if (at.line != 0) lines.emplace(at.file, at.line);
  }
  std::string text;
  for (const auto& [file, line] : lines) text += " " + place({file, line, 0}, false);
  return text;
}

std::string FactsText::slice(const std::vector<unsigned>& target) const {
  std::string text;
  for (const Slice& slice : slices_of(facts_, target)) {
    text += fmt::format("{}  lines{}\n", facts_.classes[slice.thread_class].name, lines_of(slice.nodes));
    for (const SliceGuard& guard : slice.guards) {
      if (guard.condition.empty()) continue;
      text += fmt::format("  guard {}  {} {}\n", place(facts_.graph.nodes[guard.node].place, false),
                          printable_line(guard.condition), guard.holds ? "holds" : "does not hold");
    }
    std::set<std::string> writes;
    for (const SliceWrite& write : slice.writes) {
      std::string locks;
      for (const std::string& lock : write.locks) locks += (locks.empty() ? ", holding " : " ") + printable_line(lock);
      writes.insert(fmt::format("  write {}  of {} by {}{}\n", place(facts_.graph.nodes[write.node].place, false),
                                printable_line(write.object), facts_.classes[write.thread_class].name, locks));
    }
    for (const std::string& one : writes) text += one;
    if (!slice.enabling.empty()) text += fmt::format("  enabled by{}\n", lines_of(slice.enabling));
  }
  return text;
}

}  // namespace ravel
