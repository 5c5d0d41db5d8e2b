// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Ravel authors
#include "statics/two_stage.h"

#include <algorithm>
#include <map>
#include <set>

#include "model/text/path_text.h"
#include "statics/access_graph.h"
#include "statics/site_graph.h"

namespace ravel {
namespace {

bool is_lock(const Site& site) {
  return site.kind == SiteKind::kLock || site.kind == SiteKind::kReadLock;
}

// What a thread waits for before it executes its next access.
struct Frame {
  unsigned waiter = 0;   // thread
  unsigned trigger = 0;  // its next access: node
  unsigned runner = 0;   // thread that is to act
  StaticAccess target;   // ... by this access
  std::string lock;      // or by releasing this; empty: by the access
};

struct ThreadState {
  unsigned at = 0;  // node
  bool done = false;
  bool stuck = false;                   // for ever, before
  unsigned pending = 0;                 // ... this node
  std::map<unsigned, unsigned> counts;  // by site
  std::set<std::string> released;       // since `at`
};

struct State {
  std::vector<ThreadState> threads;
  std::vector<Frame> stack;
  unsigned current = 0;
  std::vector<StaticOrder> orders;
};

class Derivation {
 public:
  Derivation(const Facts& facts, std::vector<AccessGraph> graphs, const TwoStageLimits& limits)
      : facts_(facts), graphs_(std::move(graphs)), limits_(limits) {
    for (const SitePair& pair : facts.pairs) {
      partners_[pair.first].insert(pair.second);
      partners_[pair.second].insert(pair.first);
    }
  }

  TwoStageResult run() {
    State start;
    start.threads.resize(graphs_.size());
    if (graphs_.empty()) out_.schedules.resize(1);  // nothing conflicts
    if (!graphs_.empty()) go(start);
    return std::move(out_);
  }

 private:
  [[nodiscard]] const Site& site_of(unsigned thread, unsigned node) const {
    return facts_.sites[graphs_[thread].nodes[node].site];
  }
  [[nodiscard]] unsigned thread_of(unsigned site) const {
    for (unsigned i = 0; i < graphs_.size(); ++i) {
      if (graphs_[i].thread_class == facts_.sites[site].thread_class) return i;
    }
    return 0;
  }
  static bool names(const std::vector<std::string>& list, const std::string& name) {
    return std::find(list.begin(), list.end(), name) != list.end();
  }
  // Of a node, once it was executed.
  [[nodiscard]] bool holds_at(unsigned thread, unsigned node, const std::string& lock) const {
    if (node == 0) return false;
    const Site& site = site_of(thread, node);
    return names(site.locks, lock) || (is_lock(site) && names(site.objects, lock));
  }
  // ... when it is about to be.
  [[nodiscard]] bool needs_at(unsigned thread, unsigned node, const std::string& lock) const {
    return names(site_of(thread, node).locks, lock);
  }
  [[nodiscard]] bool holds(const State& s, unsigned thread, const std::string& lock) const {
    const ThreadState& t = s.threads[thread];
    if (t.stuck) return needs_at(thread, t.pending, lock);
    if (const Frame* const frame = frame_of(s, thread)) return needs_at(thread, frame->trigger, lock);
    return !t.done && t.released.count(lock) == 0 && holds_at(thread, t.at, lock);
  }
  [[nodiscard]] static const Frame* frame_of(const State& s, unsigned thread) {
    for (const Frame& frame : s.stack) {
      if (frame.waiter == thread) return &frame;
    }
    return nullptr;
  }

  // The current thread goes on.
  void go(const State& s) {
    if (++steps_ > limits_.steps || out_.schedules.size() >= limits_.schedules) {
      out_.complete = false;
      return;
    }
    const ThreadState& t = s.threads[s.current];
    const AccessNode& node = graphs_[s.current].nodes[t.at];
    const bool releasing = !s.stack.empty() && s.stack.back().runner == s.current && !s.stack.back().lock.empty();
    if (releasing) {
      const std::string& lock = s.stack.back().lock;
      const bool can = node.may_end || std::any_of(node.next.begin(), node.next.end(),
                                                   [&](unsigned next) { return !needs_at(s.current, next, lock); });
      if (can || t.released.count(lock) != 0) release(s, lock);
    }
    if (node.may_end && !releasing) end_thread(s);
    for (const unsigned next : node.next) {
      // A thread that has released a lock has left the ways on which it still holds it.
      const bool left = std::any_of(t.released.begin(), t.released.end(),
                                    [&](const std::string& lock) { return needs_at(s.current, next, lock); });
      if (!left && (!releasing || needs_at(s.current, next, s.stack.back().lock))) meet(s, next);
    }
  }

  void release(State s, const std::string& lock) {
    s.threads[s.current].released.insert(lock);
    resume(std::move(s));
  }

  void end_thread(State s) {
    if (!s.stack.empty()) return;  // the target was not reached
    s.threads[s.current].done = true;
    next_thread(std::move(s));
  }
  void next_thread(State s) {
    for (unsigned i = 0; i < s.threads.size(); ++i) {
      if (s.threads[i].done || s.threads[i].stuck) continue;
      s.current = i;
      return go(s);
    }
    complete(s);
  }

  // The current thread waits for ever for the lock at `node`, and so does who waits for a lock that it holds. Who only
  // wanted it to do something first has not got it.
  void stuck_at(State s, unsigned node) {
    const auto stop = [&](unsigned thread, unsigned pending) {
      s.threads[thread].stuck = true;
      s.threads[thread].pending = pending;
    };
    stop(s.current, node);
    for (; !s.stack.empty(); s.stack.pop_back()) {
      const Frame frame = s.stack.back();
      const Site& wanted = site_of(frame.waiter, frame.trigger);
      bool held = false;
      for (unsigned i = 0; i < s.threads.size() && is_lock(wanted); ++i) {
        held |= i != frame.waiter && s.threads[i].stuck && holds(s, i, wanted.objects[0]);
      }
      if (!held) return;
      stop(frame.waiter, frame.trigger);
    }
    next_thread(std::move(s));
  }

  // What was decided and happened, and where threads are stuck.
  using Key = std::pair<std::set<StaticOrder>, std::vector<StaticAccess>>;

  [[nodiscard]] static unsigned count_of(const ThreadState& thread, unsigned site) {
    const auto count = thread.counts.find(site);
    return count == thread.counts.end() ? 0 : count->second;
  }

  void complete(const State& s) {
    Key key;
    for (const StaticOrder& order : s.orders) {
      const ThreadState& last = s.threads[thread_of(order.second.site)];
      if (order.decided && count_of(last, order.second.site) >= order.second.instance) key.first.insert(order);
    }
    for (unsigned i = 0; i < s.threads.size(); ++i) {
      if (!s.threads[i].stuck) continue;
      const unsigned site = graphs_[i].nodes[s.threads[i].pending].site;
      key.second.push_back({site, count_of(s.threads[i], site) + 1});
    }
    const auto [known, fresh] = known_.try_emplace(key, out_.schedules.size());
    if (fresh) {
      out_.schedules.push_back({s.orders, !key.second.empty()});
      return;
    }
    // Another way through the code with the same decisions: what it adds holds where its accesses happen.
    std::vector<StaticOrder>& orders = out_.schedules[known->second].orders;
    for (const StaticOrder& order : s.orders) {
      if (!order.decided && std::find(orders.begin(), orders.end(), order) == orders.end()) orders.push_back(order);
    }
  }

  // `node` is the next access of the current thread.
  void meet(const State& s, unsigned node) {
    const unsigned site = graphs_[s.current].nodes[node].site;
    const unsigned done = count_of(s.threads[s.current], site);
    if (graphs_[s.current].loops && done == limits_.instances) {
      out_.complete = false;
      return;
    }
    if (!s.stack.empty() && s.stack.back().runner == s.current && s.stack.back().lock.empty()) {
      const StaticAccess& target = s.stack.back().target;
      if (site != target.site && !graphs_[s.current].reaches(node, target.site)) return;
    }
    insert(s, node);                                     // rule 1
    for (const unsigned partner : partners_.at(site)) {  // rule 2
      yield_to(s, node, partner, {site, done + 1});
    }
    if (is_read(facts_.sites[site])) yield_to_reads(s, node, {site, done + 1});
  }

  void yield_to(const State& s, unsigned node, unsigned partner, const StaticAccess& trigger) {
    const unsigned other = thread_of(partner);
    if (other == s.current || s.threads[other].done || s.threads[other].stuck || frame_of(s, other) != nullptr) return;
    const unsigned done = count_of(s.threads[other], partner);
    if (!graphs_[other].reaches(s.threads[other].at, partner)) return;
    const unsigned most = graphs_[other].loops ? limits_.instances : done + occurrences(other, partner);
    for (unsigned instance = done + 1; instance <= most; ++instance) {
      State r = s;
      r.orders.push_back({{partner, instance}, trigger, true});
      r.stack.push_back({s.current, node, other, {partner, instance}, ""});
      r.current = other;
      go(r);
    }
  }
  [[nodiscard]] unsigned occurrences(unsigned thread, unsigned site) const {
    unsigned count = 0;
    for (unsigned i = 1; i < graphs_[thread].nodes.size(); ++i) count += graphs_[thread].nodes[i].site == site;
    return count;
  }

  // Reads do not conflict, but which of them come before a write that waits is a choice: each set of them once, by
  // threads in ascending order. The read in hand must be what the write waits for, or a read that such a one waits for:
  // a read that is only passed by leaves the choice to what comes behind it.
  void yield_to_reads(const State& s, unsigned node, StaticAccess met) {
    for (auto frame = s.stack.rbegin(); frame != s.stack.rend(); ++frame) {
      if (!frame->lock.empty() || frame->target != met) return;
      const unsigned site = graphs_[frame->waiter].nodes[frame->trigger].site;
      met = {site, count_of(s.threads[frame->waiter], site) + 1};
      if (is_read(facts_.sites[site])) continue;
      for (const unsigned other : partners_.at(site)) {
        if (is_read(facts_.sites[other]) && thread_of(other) > s.current) yield_to(s, node, other, met);
      }
      return;
    }
  }

  // A lock that another thread holds is released first.
  void insert(const State& s, unsigned node) {
    const Site& site = site_of(s.current, node);
    if (is_lock(site)) {
      const std::string& lock = site.objects[0];
      for (unsigned i = 0; i < s.threads.size(); ++i) {
        if (i == s.current || !holds(s, i, lock)) continue;
        if (s.threads[i].stuck || waits_for(s, i, s.current)) return stuck_at(s, node);
        if (frame_of(s, i) != nullptr) return;  // it is only paused: this goal cannot be reached
        State r = s;
        r.stack.push_back({s.current, node, i, {}, lock});
        r.current = i;
        return go(r);
      }
    }
    append(s, node);
  }

  // A paused thread whose next lock is held, along a chain, by `by'.
  [[nodiscard]] bool waits_for(const State& s, unsigned thread, unsigned by) const {
    for (unsigned length = 0; length <= s.threads.size(); ++length) {
      const Frame* const frame = frame_of(s, thread);
      if (frame == nullptr || !is_lock(site_of(thread, frame->trigger))) return false;
      const std::string& lock = site_of(thread, frame->trigger).objects[0];
      if (holds(s, by, lock)) return true;
      unsigned next = thread;
      for (unsigned i = 0; i < s.threads.size(); ++i) {
        if (i != thread && holds(s, i, lock)) next = i;
      }
      if (next == thread) return false;
      thread = next;
    }
    return false;
  }

  void append(State s, unsigned node) {
    ThreadState& t = s.threads[s.current];
    const unsigned site = graphs_[s.current].nodes[node].site;
    t.at = node;
    t.released.clear();
    const StaticAccess access{site, ++t.counts[site]};
    for (const unsigned partner : partners_.at(site)) {
      const unsigned other = thread_of(partner);
      if (other == s.current || s.threads[other].done || s.threads[other].stuck) continue;
      const Frame* const frame = frame_of(s, other);
      const bool next = frame != nullptr && graphs_[other].nodes[frame->trigger].site == partner;
      if (!next && !graphs_[other].reaches(s.threads[other].at, partner)) continue;
      const StaticAccess later{partner, s.threads[other].counts[partner] + 1};
      const StaticOrder decided{access, later, true};
      if (std::find(s.orders.begin(), s.orders.end(), decided) == s.orders.end())
        s.orders.push_back({access, later, false});
    }
    const bool reached = !s.stack.empty() && s.stack.back().runner == s.current && s.stack.back().lock.empty() &&
                         s.stack.back().target == access;
    if (!reached) return go(s);
    if (!is_lock(facts_.sites[site])) return resume(std::move(s));
    s.stack.back().lock = facts_.sites[site].objects[0];
    go(s);
  }

  // The goal on top of the stack is reached: its waiter executes what it waited to execute.
  void resume(State s) {
    const Frame frame = s.stack.back();
    s.stack.pop_back();
    s.current = frame.waiter;
    insert(s, frame.trigger);
  }

  const Facts& facts_;
  std::vector<AccessGraph> graphs_;  // by thread
  TwoStageLimits limits_;
  std::map<unsigned, std::set<unsigned>> partners_;
  TwoStageResult out_;
  std::map<Key, std::size_t> known_;  // the schedule
  std::uint64_t steps_ = 0;
};

std::string text_of(const CodePlace& place) {
  return base_name(place.file) + ":" + std::to_string(place.line);
}

Result<void> check(const Facts& facts, const std::vector<AccessGraph>& graphs, const TwoStageLimits& limits) {
  for (const SitePair& pair : facts.pairs) {
    if (pair.kind != PairKind::kRW && pair.kind != PairKind::kMM) {
      return cannot_test("conditions are not known to this derivation", text_of(facts.sites[pair.first].place),
                         "ravel values pairs needs no derivation");
    }
  }
  for (const AccessGraph& graph : graphs) {
    const ThreadClass& threads = facts.classes[graph.thread_class];
    if (graph.thread_class == 0) return cannot_test("main itself has conflicting accesses", threads.entry);
    if (threads.many || threads.creators != std::vector<unsigned>{0}) {
      return cannot_test("threads that are not started by main one by one",
                         threads.name + " " + text_of(threads.created_at));
    }
    if (graph.loops && limits.instances == 0) {
      return usage_error("a loop has conflicting accesses", threads.name + " " + threads.entry,
                         "--instances N derives schedules of its first N rounds");
    }
    for (std::size_t i = 1; i < graph.nodes.size(); ++i) {
      const Site& site = facts.sites[graph.nodes[i].site];
      if (is_lock(site) && site.objects.size() != 1) {
        return cannot_test("a lock that may be several objects", text_of(site.place));
      }
    }
  }
  return {};
}

}  // namespace

Result<TwoStageResult> derive_schedules(const Facts& facts, const TwoStageLimits& limits) {
  auto graphs = access_graphs(facts);
  if (!graphs) return tl::make_unexpected(graphs.error());
  if (auto known = check(facts, *graphs, limits); !known) return tl::make_unexpected(known.error());
  return Derivation(facts, std::move(*graphs), limits).run();
}

}  // namespace ravel
