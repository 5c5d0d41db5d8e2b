// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Ravel authors
#include "statics/atomicity_warnings.h"

#include <algorithm>
#include <map>
#include <set>

#include "statics/site_graph.h"
#include "statics/warnings.h"

namespace ravel {
namespace {

class Finder {
 public:
  explicit Finder(const Facts& facts) : facts_(facts), graph_(facts) {
    for (unsigned i = 0; i < facts.sites.size(); ++i) {
      const Site& site = facts.sites[i];
      if (site.kind == SiteKind::kLock) locks_[site.thread_class].push_back(i);
      if (site.kind > SiteKind::kAtomicWrite || graph_.nodes_of(i).empty()) continue;
      if (is_read(site) || is_write(site)) by_class_[site.thread_class].push_back(i);
      if (!is_write(site)) continue;
      for (const std::string& object : site.objects) writers_[object].push_back(i);
    }
    for (const SitePair& pair : facts.pairs) {
      met_.emplace(pair.first, facts.sites[pair.second].thread_class);
      met_.emplace(pair.second, facts.sites[pair.first].thread_class);
      if (pair.kind == PairKind::kMM) add_meeting(pair);
    }
  }

  std::vector<StaticWarning> run() {
    for (const auto& [thread_class, sites] : by_class_) {
      for (const unsigned first : sites) {
        if (!is_read(facts_.sites[first]) || !interesting(first)) continue;
        for (const unsigned second : sites) consider(first, second);
      }
    }
    return std::move(warnings_);
  }

 private:
  void add_meeting(const SitePair& pair) {
    const unsigned a = facts_.sites[pair.first].thread_class;
    const unsigned b = facts_.sites[pair.second].thread_class;
    meetings_.emplace(pair.object, a, b);
    meetings_.emplace(pair.object, b, a);
  }

  // Somebody else writes what it reads; a plain access without a lock is a race, which is another warning.
  [[nodiscard]] bool interesting(unsigned first) const {
    const Site& site = facts_.sites[first];
    return (is_atomic(site) || !site.locks.empty()) && site.objects.size() == 1;
  }

  // A write of `object` in a thread that can run beside `reader`: they conflict, or only a lock of both orders them.
  [[nodiscard]] bool written_beside(unsigned reader, const std::string& object, unsigned& writer_class) const {
    const auto found = writers_.find(object);
    if (found == writers_.end()) return false;
    const Site& mine = facts_.sites[reader];
    for (const unsigned writer : found->second) {
      const Site& other = facts_.sites[writer];
      const bool another = other.thread_class != mine.thread_class || facts_.classes[mine.thread_class].many;
      if (!another) continue;
      const bool conflict = met_.count({reader, other.thread_class}) != 0;
      const bool by_lock = std::any_of(other.locks.begin(), other.locks.end(), [&](const std::string& lock) {
        return std::find(mine.locks.begin(), mine.locks.end(), lock) != mine.locks.end() &&
               meetings_.count({lock, mine.thread_class, other.thread_class}) != 0;
      });
      if (!conflict && !by_lock) continue;
      writer_class = other.thread_class;
      return true;
    }
    return false;
  }

  [[nodiscard]] bool writes(unsigned thread_class, const std::string& object) const {
    const auto found = writers_.find(object);
    if (found == writers_.end()) return false;
    return std::any_of(found->second.begin(), found->second.end(),
                       [&](unsigned writer) { return facts_.sites[writer].thread_class == thread_class; });
  }

  // A lock that both hold and that no way from the one to the other takes again.
  [[nodiscard]] bool held_throughout(unsigned first, unsigned second, unsigned from, unsigned to) const {
    const Site& a = facts_.sites[first];
    const Site& b = facts_.sites[second];
    return std::any_of(a.locks.begin(), a.locks.end(), [&](const std::string& lock) {
      if (std::find(b.locks.begin(), b.locks.end(), lock) == b.locks.end()) return false;
      return !taken_between(a.thread_class, lock, from, to);
    });
  }

  [[nodiscard]] bool taken_between(unsigned thread_class, const std::string& lock, unsigned from, unsigned to) const {
    const auto found = locks_.find(thread_class);
    if (found == locks_.end()) return false;
    for (const unsigned site : found->second) {
      const std::vector<std::string>& names = facts_.sites[site].objects;
      if (std::find(names.begin(), names.end(), lock) == names.end()) continue;
      for (const unsigned node : graph_.nodes_of(site)) {
        if (graph_.between(from, node, to)) return true;
      }
    }
    return false;
  }

  // The second, at `to`, also depends on a read of the object that is protected together with it, and in the same way:
  // what was a condition is a condition again.
  [[nodiscard]] bool checked_again(unsigned first, unsigned second, unsigned from, unsigned to) const {
    const bool condition = graph_.decides(from, to);
    const Site& a = facts_.sites[first];
    for (const unsigned again : by_class_.at(a.thread_class)) {
      if (again == first || !is_read(facts_.sites[again]) || !share_a_name(facts_.sites[again].objects, a.objects))
        continue;
      for (const unsigned node : graph_.nodes_of(again)) {
        const bool same = facts_.graph.nodes[node].function == facts_.graph.nodes[to].function;
        const bool alike = condition ? graph_.decides(node, to) : graph_.depends(to, node);
        if (same && alike && held_throughout(again, second, node, to)) return true;
      }
    }
    return false;
  }

  // One instruction that reads and writes.
  [[nodiscard]] bool is_update(unsigned second, unsigned to) const {
    const Site& site = facts_.sites[second];
    if (site.kind != SiteKind::kAtomicWrite || facts_.graph.nodes[to].reads.empty()) return false;
    return std::none_of(by_class_.at(site.thread_class).begin(), by_class_.at(site.thread_class).end(),
                        [&](unsigned other) {
                          const Site& one = facts_.sites[other];
                          return is_read(one) && one.place.line == site.place.line &&
                                 one.place.file == site.place.file && share_a_name(one.objects, site.objects);
                        });
  }

  void consider(unsigned first, unsigned second) {
    const Site& a = facts_.sites[first];
    const Site& b = facts_.sites[second];
    if (first == second || b.objects.size() != 1 || warnings_.size() == kMostWarnings) return;
    const bool one_object = a.objects == b.objects;
    if (one_object ? !is_write(b) || is_atomic(a) != is_atomic(b) : a.locks.empty() || b.locks.empty()) return;
    unsigned other = 0;
    if (!written_beside(first, a.objects[0], other)) return;
    if (!one_object && (!writes(other, b.objects[0]) || share_a_name(a.locks, b.locks))) return;
    for (const unsigned from : graph_.nodes_of(first)) {
      for (const unsigned to : graph_.nodes_of(second)) {
        if (!unprotected(first, second, from, to)) continue;
        add(first, second, one_object);
        return;
      }
    }
  }

  [[nodiscard]] bool unprotected(unsigned first, unsigned second, unsigned from, unsigned to) const {
    if (facts_.graph.nodes[from].function != facts_.graph.nodes[to].function || !graph_.depends(to, from)) return false;
    if (is_update(second, to) || held_throughout(first, second, from, to)) return false;
    return !checked_again(first, second, from, to);
  }

  void add(unsigned first, unsigned second, bool one_object) {
    const Site& a = facts_.sites[first];
    const Site& b = facts_.sites[second];
    if (!known_.emplace(a.place.file, a.place.line, b.place.file, b.place.line).second) return;
    const std::string text = one_object ? a.objects[0] + " can change between these two"
                                        : a.objects[0] + " can change before " + b.objects[0] + " is used with it";
    warnings_.push_back({"atomicity", text, {first, second}});
  }

  const Facts& facts_;
  const SiteGraph graph_;
  std::map<unsigned, std::vector<unsigned>> by_class_;
  std::map<unsigned, std::vector<unsigned>> locks_;
  std::map<std::string, std::vector<unsigned>> writers_;
  std::set<std::pair<unsigned, unsigned>> met_;                     // site, class of its partner
  std::set<std::tuple<std::string, unsigned, unsigned>> meetings_;  // lock, classes that can want it together
  std::set<std::tuple<std::string, unsigned, std::string, unsigned>> known_;
  std::vector<StaticWarning> warnings_;
};

}  // namespace

std::vector<StaticWarning> atomicity_warnings(const Facts& facts) {
  return Finder(facts).run();
}

}  // namespace ravel
