// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Ravel authors
#include "statics/place_match.h"

#include <algorithm>
#include <filesystem>
#include <map>
#include <set>

#include "statics/callee_kinds.h"
#include "symbols/code_symbols.h"
#include "symbols/symbolizer.h"

namespace ravel {
namespace {

constexpr unsigned kReach = 8;  // lines, of a statement or a struct

// The last two names of a path: builds on other machines differ in what is before.
std::string short_path(const std::string& path) {
  const std::filesystem::path normal = std::filesystem::path(path).lexically_normal();
  return (normal.parent_path().filename() / normal.filename()).string();
}

using Line = std::pair<std::string, unsigned>;  // short path, line

struct SiteAt {
  unsigned site = 0;
  unsigned column = 0;
};

bool is_memory(SiteKind kind) {
  return kind <= SiteKind::kAtomicWrite;
}

bool same_family(SiteKind a, SiteKind b) {
  if (is_memory(a) || is_memory(b)) return is_memory(a) && is_memory(b);
  const auto locks = [](SiteKind kind) { return kind == SiteKind::kLock || kind == SiteKind::kReadLock; };
  return a == b || (locks(a) && locks(b));
}

class Matcher {
 public:
  explicit Matcher(const Facts& facts) : facts_(facts) {
    for (unsigned i = 0; i < facts.sites.size(); ++i) {
      const Site& site = facts.sites[i];
      at_[{short_path(site.place.file), site.place.line}].push_back({i, site.place.column});
      for (const CodePlace& inner : site.inside)
        inside_[{short_path(inner.file), inner.line}].push_back({i, inner.column});
    }
  }

  void match(MatchedPlace& one) const {
    const Line line{short_path(one.place.file), one.place.line};
    one.sites = best(one, one.in_library ? inside_ : at_, line);
    if (!one.sites.empty() || one.in_library) return;
    // A body that the bitcode has inlined elsewhere, or a macro of the user's header.
    one.sites = best(one, inside_, line);
    for (unsigned away = 1; one.sites.empty() && away <= kReach; ++away) {
      one.sites = best(one, at_, {line.first, line.second + away});
      if (one.sites.empty() && line.second > away) one.sites = best(one, at_, {line.first, line.second - away});
    }
  }

 private:
  using Index = std::map<Line, std::vector<SiteAt>>;

  // Same kind before same family; of these the same column, if there is one.
  [[nodiscard]] std::vector<unsigned> best(const MatchedPlace& one, const Index& index, const Line& line) const {
    const auto found = index.find(line);
    if (found == index.end()) return {};
    std::vector<SiteAt> kept;
    for (const bool exact : {true, false}) {
      for (const SiteAt& at : found->second) {
        const SiteKind kind = facts_.sites[at.site].kind;
        const bool fits = std::any_of(one.kinds.begin(), one.kinds.end(),
                                      [&](SiteKind mine) { return exact ? mine == kind : same_family(mine, kind); });
        if (fits) kept.push_back(at);
      }
      if (!kept.empty()) break;
    }
    const auto same_column = [&](const SiteAt& at) { return at.column == one.place.column; };
    const bool columns = std::any_of(kept.begin(), kept.end(), same_column);
    std::set<unsigned> sites;
    for (const SiteAt& at : kept) {
      if (!columns || same_column(at)) sites.insert(at.site);
    }
    return {sites.begin(), sites.end()};
  }

  const Facts& facts_;
  Index at_;
  Index inside_;
};

MatchedPlace place_of(Symbolizer& symbolizer, LocationId location, std::vector<SiteKind> kinds) {
  const std::vector<Frame>& frames = symbolizer.frames(location);
  const auto user = std::find_if(frames.begin(), frames.end(),
                                 [](const Frame& frame) { return frame.line != 0 && !frame.in_system_header; });
  MatchedPlace one;
  one.location = location;
  one.kinds = std::move(kinds);
  one.in_library = user == frames.end();
  const Frame& frame = one.in_library ? frames.front() : *user;
  one.place = {frame.file, frame.line, frame.column};
  return one;
}

// Places as people count them: a line and what is done there.
using Known = std::tuple<std::string, unsigned, SiteKind>;

Known known_of(const Site& site) {
  return {site.place.file, site.place.line, site.kind};
}

}  // namespace

PlaceMatch match_places(const Facts& facts, const std::string& program) {
  PlaceMatch match;
  const Matcher matcher(facts);
  const CodeSymbols symbols(program);
  Symbolizer symbolizer;
  symbolizer.set_module(0, program, 0);
  std::set<Known> found;
  for (const CodeSymbol& symbol : symbols.all()) {
    for (const CallOut& call : symbols.call_outs(symbol)) {
      std::vector<SiteKind> kinds = kinds_of_callee(call.callee);
      if (kinds.empty()) continue;
      MatchedPlace one = place_of(symbolizer, static_cast<LocationId>(call.after), std::move(kinds));
      matcher.match(one);
      for (const unsigned site : one.sites) found.insert(known_of(facts.sites[site]));
      match.places.push_back(std::move(one));
    }
  }
  std::sort(match.places.begin(), match.places.end(),
            [](const MatchedPlace& a, const MatchedPlace& b) { return a.location < b.location; });
  std::set<Known> known;
  for (const Site& site : facts.sites) known.insert(known_of(site));
  match.known = static_cast<unsigned>(known.size());
  match.found = static_cast<unsigned>(found.size());
  return match;
}

}  // namespace ravel
