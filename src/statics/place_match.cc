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

// Without what stands in brackets at the end.
std::string_view without_brackets(std::string_view name, char open, char close) {
  if (name.empty() || name.back() != close) return name;
  int depth = 0;
  for (std::size_t at = name.size(); at-- > 0;) {
    depth += (name[at] == close) - (name[at] == open);
    if (depth == 0) return name.substr(0, at);
  }
  return name;
}

// Of `Pool<int>::~Pool() [clone .part.0]' ~Pool. Compilers differ in scopes, parameters and the names of lambdas.
std::string own_name(std::string_view name) {
  constexpr std::string_view kCall = "operator()";
  const auto ends = [&](std::string_view with) {
    return name.size() >= with.size() && name.substr(name.size() - with.size()) == with;
  };
  const std::size_t clone = name.find(" [clone");
  if (clone != std::string_view::npos) name = name.substr(0, clone);
  if (ends(" const")) name.remove_suffix(6);
  if (!ends(kCall)) name = without_brackets(name, '(', ')');
  if (name.find("operator") == std::string_view::npos) name = without_brackets(name, '<', '>');
  const std::size_t scope = name.rfind("::");
  if (scope != std::string_view::npos) name.remove_prefix(scope + 2);
  return std::string(name.substr(0, name.find('.')));
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
      own_names_.push_back(own_name(site.function));
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
      one.sites = near(one, {line.first, line.second + away});
      if (one.sites.empty() && line.second > away) one.sites = near(one, {line.first, line.second - away});
    }
  }

 private:
  using Index = std::map<Line, std::vector<SiteAt>>;

  // Of the same function: another one has operations of its own.
  [[nodiscard]] std::vector<unsigned> near(const MatchedPlace& one, const Line& line) const {
    std::vector<unsigned> sites = best(one, at_, line);
    if (one.function.empty()) return sites;
    const auto other = [&](unsigned site) {
      const std::string& name = own_names_[site];
      return name != one.function && !(is_start_up(name) && is_start_up(one.function));
    };
    sites.erase(std::remove_if(sites.begin(), sites.end(), other), sites.end());
    return sites;
  }

  // What initialises variables before main has another name in each compiler.
  [[nodiscard]] static bool is_start_up(const std::string& name) {
    return name.rfind("__cxx_global_", 0) == 0 || name.rfind("__static_init", 0) == 0 ||
           name.rfind("_GLOBAL__", 0) == 0;
  }

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
  std::vector<std::string> own_names_;  // of functions, by site
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
  one.function = own_name(frame.function);
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
