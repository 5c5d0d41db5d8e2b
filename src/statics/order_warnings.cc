// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Ravel authors
#include "statics/order_warnings.h"

#include <algorithm>
#include <map>
#include <set>

#include "statics/site_graph.h"
#include "statics/warnings.h"

namespace ravel {
namespace {

class Finder {
 public:
  explicit Finder(const Facts& facts) : facts_(facts), graph_(facts) {}

  std::vector<StaticWarning> run() {
    for (const SitePair& pair : facts_.pairs) {
      if (pair.kind == PairKind::kRW && pair.must) use_before_set(pair);
      if (pair.kind == PairKind::kWN) lost_notification(pair);
    }
    if (!facts_.partial()) no_notification();
    return std::move(warnings_);
  }

 private:
  [[nodiscard]] bool creates(unsigned creator, unsigned created) const {
    const std::vector<unsigned>& list = facts_.classes[created].creators;
    return std::find(list.begin(), list.end(), creator) != list.end();
  }

  // The creator writes only then: before the thread exists it writes nothing there that is a pair, so a write that is
  // one comes after.
  void use_before_set(const SitePair& pair) {
    const bool first = is_write(facts_.sites[pair.first]);
    const unsigned set = first ? pair.first : pair.second;
    const unsigned use = first ? pair.second : pair.first;
    const Site& writer = facts_.sites[set];
    const Site& reader = facts_.sites[use];
    if (!is_read(reader) || is_atomic(reader) || !creates(writer.thread_class, reader.thread_class)) return;
    if (writer.place == facts_.classes[reader.thread_class].created_at) return;  // the state of the new thread
    add(pair.object + " may be used before it is set", {use, set});
  }

  [[nodiscard]] std::vector<unsigned> reads_before(unsigned wait) const {
    std::set<unsigned> lines;
    for (const unsigned node : graph_.nodes_of(wait)) {
      lines.insert(node);
      lines.insert(graph_.dependences(node).begin(), graph_.dependences(node).end());
    }
    std::vector<unsigned> reads;
    for (unsigned i = 0; i < facts_.sites.size(); ++i) {
      const Site& site = facts_.sites[i];
      if (!is_read(site) || site.thread_class != facts_.sites[wait].thread_class) continue;
      const std::vector<unsigned>& nodes = graph_.nodes_of(i);
      if (std::any_of(nodes.begin(), nodes.end(), [&](unsigned node) { return lines.count(node) != 0; }))
        reads.push_back(i);
    }
    return reads;
  }

  // Whether the notifier's threads write something that decides about the wait, under a lock that the waiter checks it
  // under.
  void lost_notification(const SitePair& pair) {
    const bool first = facts_.sites[pair.first].kind == SiteKind::kWait;
    const unsigned wait = first ? pair.first : pair.second;
    const unsigned notify = first ? pair.second : pair.first;
    const auto [known, fresh] = reads_.try_emplace(wait);
    if (fresh) known->second = reads_before(wait);
    std::vector<unsigned> sites = {notify, wait};
    for (const unsigned read : known->second) {
      for (unsigned i = 0; i < facts_.sites.size(); ++i) {
        const Site& site = facts_.sites[i];
        const bool sets = is_write(site) && site.thread_class == facts_.sites[notify].thread_class &&
                          share_a_name(site.objects, facts_.sites[read].objects);
        if (!sets) continue;
        if (share_a_name(site.locks, facts_.sites[read].locks)) return checked_once(wait, notify);
        sites = {i, notify, wait};
      }
    }
    const bool unlocked = sites.size() == 3;
    add(unlocked ? "the notification may come between the check and the wait"
                 : "the notification may come before the wait",
        sites);
  }

  // The condition is checked before the wait and not again behind it.
  void checked_once(unsigned wait, unsigned notify) {
    const std::vector<unsigned>& nodes = graph_.nodes_of(wait);
    const bool again = std::any_of(nodes.begin(), nodes.end(), [&](unsigned node) { return graph_.repeats(node); });
    if (!again && !nodes.empty()) add("what was checked may have changed when the wait ends", {notify, wait});
  }

  void no_notification() {
    std::set<unsigned> notified;
    for (const SitePair& pair : facts_.pairs) {
      if (pair.kind == PairKind::kWN) notified.insert({pair.first, pair.second});
    }
    for (unsigned i = 0; i < facts_.sites.size(); ++i) {
      const Site& wait = facts_.sites[i];
      if (wait.kind != SiteKind::kWait || notified.count(i) != 0) continue;
      const bool anybody = std::any_of(facts_.sites.begin(), facts_.sites.end(), [&](const Site& site) {
        return site.kind == SiteKind::kNotify && share_a_name(site.objects, wait.objects);
      });
      if (!anybody) add("nobody notifies " + (wait.objects.empty() ? std::string("it") : wait.objects[0]), {i});
    }
  }

  void add(const std::string& text, const std::vector<unsigned>& sites) {
    std::set<std::pair<std::string, unsigned>> lines;
    for (const unsigned site : sites) lines.emplace(facts_.sites[site].place.file, facts_.sites[site].place.line);
    if (warnings_.size() < kMostWarnings && known_.insert(lines).second) warnings_.push_back({"order", text, sites});
  }

  const Facts& facts_;
  const SiteGraph graph_;
  std::map<unsigned, std::vector<unsigned>> reads_;
  std::set<std::set<std::pair<std::string, unsigned>>> known_;
  std::vector<StaticWarning> warnings_;
};

}  // namespace

std::vector<StaticWarning> order_warnings(const Facts& facts) {
  return Finder(facts).run();
}

}  // namespace ravel
