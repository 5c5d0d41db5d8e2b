// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Ravel authors
#include "statics/guide_table.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <set>

#include "model/text/path_text.h"
#include "statics/distances.h"

namespace ravel {
namespace {

// Facts and users may know the file by another beginning of its path.
bool same_file(const std::string& a, const std::string& b) {
  return is_end_of(a, b) || is_end_of(b, a) || base_name(a) == base_name(b);
}

bool is_plain_call(const UserPlace& place) {
  return place.leaves_file && place.callee.find("__tsan_") == 0 && place.callee.find("__tsan_atomic") != 0;
}

// The function's name with its scopes, without parameters: "Queue::pop".
bool names_function(const std::string& function, const std::string& wanted) {
  const std::string name = function.substr(0, function.find('('));
  return name == wanted || is_end_of(name, wanted) ||
         (name.size() > wanted.size() && name.compare(name.size() - wanted.size(), wanted.size(), wanted) == 0 &&
          name[name.size() - wanted.size() - 1] == ':');
}

std::uint32_t clipped(std::uint64_t distance) {
  return distance >= kFarAway ? kFarAway : static_cast<std::uint32_t>(distance);
}

std::uint64_t sum(std::uint64_t a, std::uint64_t b) {
  return a == kUnreachable || b == kUnreachable ? kUnreachable : a + b;
}

// Rows of the table of distances, each of them once.
class DistanceRows {
 public:
  enum From { kHere, kReturning, kStarted };
  using Frames = std::vector<std::vector<unsigned>>;  // nodes of a place, then those of the calls inlined around it

  DistanceRows(const CodeGraph& graph, const std::vector<Distances>& columns, std::vector<std::uint32_t>& distances)
      : graph_(graph), columns_(columns), distances_(distances) {}

  std::uint32_t row(const Frames& frames, From from) {
    const auto next = static_cast<std::uint32_t>(distances_.size() / columns_.size());
    const auto [known, fresh] = rows_.try_emplace({frames, from}, next);
    if (!fresh) return known->second;
    for (const Distances& column : columns_) distances_.push_back(clipped(distance(column, frames, from)));
    return next;
  }

  // To the end of the function that all of them were compiled into.
  [[nodiscard]] std::uint64_t leaving(const Frames& frames) const {
    std::uint64_t out = 0;
    for (std::size_t i = 0; i < frames.size(); ++i) out = sum(out, sum(leaving(frames[i]), i == 0 ? 0 : 1));
    return out;
  }

 private:
  [[nodiscard]] std::uint64_t leaving(const std::vector<unsigned>& nodes) const {
    std::uint64_t least = kUnreachable;
    for (const unsigned node : nodes) least = std::min(least, columns_[0].leaving(node));
    return least;
  }

  [[nodiscard]] std::uint64_t distance(const Distances& column, const Frames& frames, From from) const {
    std::uint64_t least = kUnreachable;
    std::uint64_t out = 0;
    for (std::size_t i = 0; i < frames.size(); ++i) {
      least = std::min(least, sum(out, of_nodes(column, frames[i], i == 0 ? from : kReturning)));
      out = sum(sum(out, leaving(frames[i])), 1);
    }
    return least;
  }

  [[nodiscard]] std::uint64_t of_nodes(const Distances& column, const std::vector<unsigned>& nodes, From from) const {
    const bool calls =
        std::any_of(nodes.begin(), nodes.end(), [&](unsigned n) { return !graph_.nodes[n].calls.empty(); });
    std::uint64_t least = kUnreachable;
    for (const unsigned node : nodes) {
      if (from == kHere) least = std::min(least, column.deeper(node));
      if (from == kReturning && calls == !graph_.nodes[node].calls.empty()) {
        least = std::min(least, column.returning(node));
      }
      if (from != kStarted) continue;
      for (const unsigned function : graph_.nodes[node].starts) {
        least = std::min(least, column.deeper(graph_.functions[function].entry));
      }
    }
    return least;
  }

  const CodeGraph& graph_;
  const std::vector<Distances>& columns_;
  std::vector<std::uint32_t>& distances_;
  std::map<std::pair<Frames, From>, std::uint32_t> rows_;
};

}  // namespace

GuideMaker::GuideMaker(const std::string& program, const Facts* facts, const PlaceMatch* match)
    : facts_(facts), match_(match), places_(find_user_places(program)) {
  if (facts == nullptr) return;
  for (unsigned i = 0; i < facts->graph.nodes.size(); ++i) {
    const CodePlace& place = facts->graph.nodes[i].place;
    if (place.line != 0) nodes_[{base_name(place.file), place.line}].push_back(i);
  }
}

std::vector<unsigned> GuideMaker::nodes_of(const CodePlace& place) const {
  const auto found = nodes_.find({base_name(place.file), place.line});
  if (found == nodes_.end()) return {};
  std::vector<unsigned> column;
  for (const unsigned node : found->second) {
    if (place.column != 0 && facts_->graph.nodes[node].place.column == place.column) column.push_back(node);
  }
  return column.empty() ? found->second : column;
}

// Calls at the place that can be what is meant.
std::vector<const UserPlace*> GuideMaker::calls_at(const SequencePlace& one) const {
  std::vector<const UserPlace*> calls;
  for (const UserPlace& call : places_) {
    const bool here =
        one.function.empty()
            ? call.place.line == one.place.line && same_file(call.place.file, one.place.file)
            : call.place.line == call.start_line + one.place.line && names_function(call.function, one.function);
    if (here && (call.operations & one.operations) != 0) calls.push_back(&call);
  }
  const auto keep = [&](auto wanted) {
    std::vector<const UserPlace*> kept;
    std::copy_if(calls.begin(), calls.end(), std::back_inserter(kept), wanted);
    if (!kept.empty()) calls = std::move(kept);
  };
  keep([](const UserPlace* call) { return !call->in_destructor; });
  if (one.place.column != 0 && one.function.empty()) {
    keep([&](const UserPlace* call) { return call->place.column == one.place.column; });
  }
  keep([](const UserPlace* call) { return call->leaves_file; });
  return calls;
}

// In each function the line was compiled into, the operation that is meant: by its number, else the last.
Result<std::vector<LocationId>> GuideMaker::locations_of(const SequencePlace& one) const {
  const std::vector<const UserPlace*> calls = calls_at(one);
  if (calls.empty()) return tl::make_unexpected(no_code_at(one));
  std::map<std::uint64_t, std::vector<LocationId>> by_function;
  for (const UserPlace* call : calls) by_function[call->symbol].push_back(call->location);
  std::vector<LocationId> locations;
  std::size_t most = 0;
  for (const auto& [symbol, list] : by_function) {
    most = std::max(most, list.size());
    const bool all = one.operations != kGoalAny || !calls[0]->leaves_file;  // the kind says which
    if (one.ordinal != 0) {
      if (one.ordinal <= list.size()) locations.push_back(list[one.ordinal - 1]);
    } else if (all) {
      locations.insert(locations.end(), list.begin(), list.end());
    } else {
      locations.push_back(list.back());
    }
  }
  if (!locations.empty()) return locations;
  return usage_error("there is no such operation", one.text, fmt::format("the line has {} that Ravel sees", most));
}

Error GuideMaker::no_code_at(const SequencePlace& one) const {
  std::set<unsigned> lines;
  std::set<std::string> files;
  for (const UserPlace& call : places_) {
    if (call.operations == 0) continue;
    files.insert(base_name(call.place.file));
    const bool same =
        one.function.empty() ? same_file(call.place.file, one.place.file) : names_function(call.function, one.function);
    if (same) lines.insert(one.function.empty() ? call.place.line : call.place.line - call.start_line);
  }
  std::vector<unsigned> near(lines.begin(), lines.end());
  const auto away = [&](unsigned line) {
    return line > one.place.line ? line - one.place.line : one.place.line - line;
  };
  std::sort(near.begin(), near.end(), [&](unsigned a, unsigned b) { return away(a) < away(b); });
  near.resize(std::min<std::size_t>(near.size(), 4));
  std::sort(near.begin(), near.end());
  const std::string hint = near.empty() ? fmt::format("files with such code: {}", fmt::join(files, ", "))
                                        : fmt::format("the nearest lines with one are {}", fmt::join(near, ", "));
  return Error{ErrorKind::kUsage, "no operation that Ravel sees stands at", one.text, hint};
}

// Library code that does the access for the line is shared by all its callers: a point for all of them.
void GuideMaker::add_points(const SequencePlace& one, const std::vector<LocationId>& locations,
                            GuideLists& lists) const {
  for (const UserPlace& call : places_) {
    const bool meant = std::find(locations.begin(), locations.end(), call.location) != locations.end();
    if (meant && is_plain_call(call)) lists.points.push_back(call.location);
  }
  if (match_ == nullptr || one.place.line == 0 || !one.function.empty()) return;
  for (const MatchedPlace& place : match_->places) {
    if (!place.in_library) continue;
    const bool plain = std::any_of(place.kinds.begin(), place.kinds.end(),
                                   [](SiteKind kind) { return kind == SiteKind::kRead || kind == SiteKind::kWrite; });
    const bool here = std::any_of(place.sites.begin(), place.sites.end(), [&](unsigned site) {
      const CodePlace& at = facts_->sites[site].place;
      return at.line == one.place.line && same_file(at.file, one.place.file);
    });
    if (plain && here) lists.points.push_back(place.location);
  }
}

// The graph has what main and the threads come to: of a function that nobody calls not one line. A single line may be
// missing for other reasons, such as a compiler that places the operation on another one.
bool GuideMaker::is_never_called(const SequencePlace& one) const {
  const std::vector<const UserPlace*> calls = calls_at(one);
  return !calls.empty() && std::all_of(calls.begin(), calls.end(), [&](const UserPlace* call) {
    const std::string file = base_name(call->place.file);
    const bool analysed = std::any_of(facts_->sources.begin(), facts_->sources.end(),
                                      [&](const auto& source) { return base_name(source.path) == file; });
    unsigned last = call->place.line;
    for (const UserPlace& other : places_) {
      if (other.symbol == call->symbol && other.function == call->function) last = std::max(last, other.place.line);
    }
    const auto first = nodes_.lower_bound({file, call->start_line});
    const bool has_node = first != nodes_.end() && first->first <= std::pair(file, last);
    return analysed && call->start_line != 0 && !has_node;
  });
}

Result<void> GuideMaker::check_reachable(const LocationSequence& sequence) const {
  const CodeGraph& graph = facts_->graph;
  if (facts_->partial() || graph.entries.empty() || graph.entries[0].empty()) return {};
  for (const SequencePlace& one : sequence) {
    if (one.place.line == 0 || !one.function.empty()) continue;
    const std::vector<unsigned> nodes = nodes_of(one.place);
    if (nodes.empty() && !is_never_called(one)) continue;
    const Distances distances(graph, nodes);
    const auto& entries = graph.entries;
    const bool reached = std::any_of(entries.begin(), entries.end(), [&](const std::vector<unsigned>& functions) {
      return std::any_of(functions.begin(), functions.end(), [&](unsigned function) {
        return distances.deeper(graph.functions[function].entry) != kUnreachable;
      });
    });
    if (!reached) return usage_error("no thread can execute", one.text, "by the static facts of the program");
  }
  return {};
}

std::vector<Distances> GuideMaker::columns_for(const LocationSequence& sequence, const std::vector<unsigned>& failing,
                                               const GuideLists& lists) const {
  std::vector<Distances> columns;
  for (const SequencePlace& one : sequence) {
    CodePlace place = one.place;
    if (!one.function.empty() || one.place.line == 0) place = {};
    if (place.line == 0 && !lists.entries.empty()) {  // a mark, or a line of a function: by its call
      const GoalEntry& entry = lists.entries[columns.size()];
      for (const UserPlace& call : places_) {
        const auto from = lists.locations.begin() + entry.begin;
        const auto to = lists.locations.begin() + entry.end;
        if (std::find(from, to, call.location) != to) place = call.place;
      }
    }
    columns.emplace_back(facts_->graph, nodes_of(place));
  }
  columns.emplace_back(facts_->graph, failing);
  return columns;
}

std::vector<unsigned> GuideMaker::failing_nodes() const {
  std::vector<unsigned> failing;
  for (const StaticTarget& target : facts_->targets) {
    const std::vector<unsigned> nodes = nodes_of(target.place);
    failing.insert(failing.end(), nodes.begin(), nodes.end());
  }
  return failing;
}

void GuideMaker::add_distances(const std::vector<Distances>& columns, GuideLists& lists) const {
  DistanceRows rows(facts_->graph, columns, lists.distances);
  for (GuidePlace& place : lists.places) {
    const auto call = std::lower_bound(places_.begin(), places_.end(), place.location,
                                       [](const UserPlace& a, LocationId b) { return a.location < b; });
    DistanceRows::Frames frames = {nodes_of(call->place)};
    if (frames[0].empty()) continue;
    for (const CodePlace& around : call->around) {
      if (std::vector<unsigned> nodes = nodes_of(around); !nodes.empty()) frames.push_back(std::move(nodes));
    }
    place.row = rows.row(frames, DistanceRows::kHere);
    place.return_row = rows.row(frames, DistanceRows::kReturning);
    place.leaving = clipped(rows.leaving(frames));
    // Threads are started by what the line calls: the node that does is on the line, whatever its column.
    const std::vector<unsigned> line = nodes_of({call->place.file, call->place.line, 0});
    const bool starts =
        std::any_of(line.begin(), line.end(), [&](unsigned node) { return !facts_->graph.nodes[node].starts.empty(); });
    if (starts) place.start_row = rows.row({line}, DistanceRows::kStarted);
  }
}

Result<GuideLists> GuideMaker::make(const LocationSequence& sequence) const {
  GuideLists lists;
  for (const SequencePlace& one : sequence) {
    GoalEntry entry;
    entry.operations = one.operations;
    entry.role = one.role;
    entry.begin = static_cast<std::uint32_t>(lists.locations.size());
    if (!one.mark.empty()) {
      entry.mark = mark_number(one.mark.data(), one.mark.size());
    } else {
      auto locations = locations_of(one);
      constexpr std::uint32_t kAccess = kGoalReads | kGoalWrites;
      if (!locations && (one.operations == kGoalReads || one.operations == kGoalWrites)) {
        // The compiler has joined the accesses of the line.
        SequencePlace access = one;
        access.operations = entry.operations = kAccess;
        locations = locations_of(access);
      }
      if (!locations) return tl::make_unexpected(locations.error());
      add_points(one, *locations, lists);
      lists.locations.insert(lists.locations.end(), locations->begin(), locations->end());
    }
    entry.end = static_cast<std::uint32_t>(lists.locations.size());
    lists.entries.push_back(entry);
  }
  for (const UserPlace& call : places_) lists.places.push_back({call.location, kFarAway, kFarAway, kFarAway});
  if (facts_ != nullptr) {
    if (auto checked = check_reachable(sequence); !checked) return tl::make_unexpected(checked.error());
    add_distances(columns_for(sequence, failing_nodes(), lists), lists);
  }
  std::sort(lists.points.begin(), lists.points.end());
  lists.points.erase(std::unique(lists.points.begin(), lists.points.end()), lists.points.end());
  return lists;
}

GuideLists GuideMaker::make_property(const std::vector<unsigned>& failing, std::vector<PropertyStep> property) const {
  GuideLists lists;
  for (const UserPlace& call : places_) lists.places.push_back({call.location, kFarAway, kFarAway, kFarAway});
  add_distances(columns_for({}, failing, lists), lists);
  lists.property = std::move(property);
  return lists;
}

Result<GuideLists> GuideMaker::make_slice(const LocationSequence& targets, const Lines& lines,
                                          const Lines& points) const {
  GuideLists lists;
  for (const SequencePlace& one : targets) {
    auto locations = locations_of(one);
    if (!locations) return tl::make_unexpected(locations.error());
    add_points(one, *locations, lists);
    GoalEntry entry;
    entry.operations = one.operations;
    entry.begin = static_cast<std::uint32_t>(lists.locations.size());
    lists.locations.insert(lists.locations.end(), locations->begin(), locations->end());
    entry.end = static_cast<std::uint32_t>(lists.locations.size());
    lists.entries.push_back(entry);
  }
  for (const UserPlace& call : places_) {
    const std::pair<std::string, unsigned> line = {base_name(call.place.file), call.place.line};
    const auto found = lines.find(line);
    lists.places.push_back({call.location, kFarAway, kFarAway, kFarAway});
    lists.lines.push_back(found == lines.end() ? 0
                                               : 1 + static_cast<std::uint32_t>(std::distance(lines.begin(), found)));
    if (points.count(line) != 0 && is_plain_call(call)) lists.points.push_back(call.location);
  }
  for (const auto& [file, line] : points) {
    SequencePlace one;
    one.place = {file, line, 0};
    add_points(one, {}, lists);
  }
  std::sort(lists.points.begin(), lists.points.end());
  lists.points.erase(std::unique(lists.points.begin(), lists.points.end()), lists.points.end());
  return lists;
}

}  // namespace ravel
