// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Ravel authors
#include "statics/warnings.h"

#include <algorithm>
#include <map>
#include <set>
#include <tuple>

namespace ravel {
namespace {

bool is_atomic(SiteKind kind) {
  return kind == SiteKind::kAtomicRead || kind == SiteKind::kAtomicWrite;
}

// What the creator writes into the state of a new thread: before the thread runs, though a loop hides it.
bool prepares_thread(const Facts& facts, const Site& writer, const Site& thread) {
  const CodePlace& created = facts.classes[thread.thread_class].created_at;
  return created.line != 0 && writer.place == created;
}

// "acquires `wanted` at `site` while holding `held`"
struct Step {
  unsigned site = 0;
  std::string held;
  std::string wanted;
};

bool contains(const std::vector<std::string>& list, const std::string& name) {
  return std::find(list.begin(), list.end(), name) != list.end();
}

class Circles {
 public:
  explicit Circles(const Facts& facts) : facts_(facts) {
    for (unsigned i = 0; i < facts.sites.size(); ++i) {
      const Site& site = facts.sites[i];
      if (site.kind != SiteKind::kLock || site.objects.size() != 1) continue;
      for (const std::string& held : site.locks) {
        if (held != site.objects[0]) steps_[held].push_back({i, held, site.objects[0]});
      }
    }
    for (const SitePair& pair : facts.pairs) {
      if (pair.kind != PairKind::kMM) continue;
      meets_.emplace(pair.first, facts.sites[pair.second].thread_class);
      meets_.emplace(pair.second, facts.sites[pair.first].thread_class);
    }
  }

  std::vector<StaticWarning> run() {
    for (const auto& [held, steps] : steps_) {
      std::vector<Step> path;
      extend(held, held, path);
    }
    return std::move(warnings_);
  }

 private:
  void extend(const std::string& start, const std::string& held, std::vector<Step>& path) {
    if (path.size() == kLongestCircle || warnings_.size() == kMostWarnings) return;
    const auto found = steps_.find(held);
    if (found == steps_.end()) return;
    for (const Step& step : found->second) {
      if (step.wanted < start || !another_thread(path, step)) continue;  // each circle from its least lock
      path.push_back(step);
      if (step.wanted == start) {
        if (path.size() > 1 && can_close(path)) add(path);
      } else if (std::none_of(path.begin(), path.end(), [&](const Step& other) { return other.held == step.wanted; })) {
        extend(start, step.wanted, path);
      }
      path.pop_back();
    }
  }

  [[nodiscard]] bool another_thread(const std::vector<Step>& path, const Step& step) const {
    const unsigned mine = facts_.sites[step.site].thread_class;
    if (facts_.classes[mine].many) return true;
    return std::none_of(path.begin(), path.end(),
                        [&](const Step& other) { return facts_.sites[other.site].thread_class == mine; });
  }

  // Each step meets the thread of the next, and no gate is held around all of them.
  [[nodiscard]] bool can_close(const std::vector<Step>& path) const {
    for (std::size_t i = 0; i < path.size(); ++i) {
      const Step& next = path[(i + 1) % path.size()];
      if (meets_.count({path[i].site, facts_.sites[next.site].thread_class}) == 0) return false;
    }
    for (std::size_t i = 0; i < path.size(); ++i) {
      for (std::size_t j = i + 1; j < path.size(); ++j) {
        const Site& a = facts_.sites[path[i].site];
        const Site& b = facts_.sites[path[j].site];
        const bool gate = std::any_of(a.locks.begin(), a.locks.end(),
                                      [&](const std::string& lock) { return contains(b.locks, lock); });
        if (gate) return false;
      }
    }
    return true;
  }

  void add(const std::vector<Step>& path) {
    StaticWarning warning;
    warning.kind = "lock order";
    std::set<unsigned> sites;
    for (const Step& step : path) {
      warning.text += step.held + " before ";
      warning.sites.push_back(step.site);
      sites.insert(step.site);
    }
    warning.text += path[0].held;
    if (known_.insert(sites).second) warnings_.push_back(std::move(warning));
  }

  const Facts& facts_;
  std::map<std::string, std::vector<Step>> steps_;  // by the lock held
  std::set<std::pair<unsigned, unsigned>> meets_;   // site, class of threads
  std::set<std::set<unsigned>> known_;
  std::vector<StaticWarning> warnings_;
};

}  // namespace

std::vector<StaticWarning> race_warnings(const Facts& facts) {
  using Line = std::pair<std::string, unsigned>;
  std::set<std::tuple<Line, Line, std::string>> known;
  std::vector<StaticWarning> warnings;
  for (const SitePair& pair : facts.pairs) {
    const Site& a = facts.sites[pair.first];
    const Site& b = facts.sites[pair.second];
    if (pair.kind != PairKind::kRW || (is_atomic(a.kind) && is_atomic(b.kind))) continue;
    if (prepares_thread(facts, a, b) || prepares_thread(facts, b, a)) continue;
    Line first{a.place.file, a.place.line};
    Line second{b.place.file, b.place.line};
    if (second < first) std::swap(first, second);
    // Members of one variable in the same two lines are one mistake, two variables are two.
    if (!known.emplace(first, second, pair.object.substr(0, pair.object.find('.'))).second) continue;
    if (warnings.size() == kMostWarnings) break;
    warnings.push_back({"race", pair.object + " (no common lock)", {pair.first, pair.second}});
  }
  return warnings;
}

std::vector<StaticWarning> lock_order_warnings(const Facts& facts) {
  return Circles(facts).run();
}

}  // namespace ravel
