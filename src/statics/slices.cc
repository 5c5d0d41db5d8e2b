// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Ravel authors
#include "statics/slices.h"

#include <algorithm>
#include <map>

#include "statics/distances.h"

namespace ravel {

class Slicer {
 public:
  explicit Slicer(const Facts& facts, IsOver is_over = {})
      : facts_(facts), graph_(facts.graph), is_over_(std::move(is_over)), callers_(graph_.functions.size()) {
    for (unsigned i = 0; i < graph_.nodes.size(); ++i) {
      for (const unsigned callee : graph_.nodes[i].calls) callers_[callee].push_back(i);
      for (const unsigned part : graph_.nodes[i].writes) writers_[graph_.memory[part].number].emplace_back(part, i);
      if (graph_.nodes[i].leaves) exits_[graph_.nodes[i].function].push_back(i);
      for (const ControlledBy& by : graph_.nodes[i].control) branches_[graph_.nodes[i].function].insert(by.branch);
    }
    for (const std::vector<unsigned>& entries : graph_.entries) functions_.push_back(reached_from(entries));
  }

  [[nodiscard]] bool runs(unsigned thread_class, unsigned node) const {
    return functions_[thread_class].count(graph_.nodes[node].function) != 0;
  }

  Slice slice(unsigned thread_class, const std::vector<unsigned>& targets) const {
    Slice slice;
    slice.thread_class = thread_class;
    for (const unsigned target : targets) {
      if (runs(thread_class, target)) extend(slice, target);
    }
    add_guards(slice, targets);
    add_writes(slice);
    add_enabling(slice);
    add_notifications(slice);
    return slice;
  }

  [[nodiscard]] std::set<unsigned> backward(unsigned thread_class, const std::vector<unsigned>& nodes) const {
    Slice slice;
    slice.thread_class = thread_class;
    for (const unsigned node : nodes) extend(slice, node);
    return slice.nodes;
  }

  [[nodiscard]] std::vector<unsigned> branches_before(unsigned thread_class, unsigned node) const {
    std::set<unsigned> seen = {node};
    std::vector<unsigned> waiting = {node};
    std::set<unsigned> branches;
    while (!waiting.empty()) {
      const GraphNode& at = graph_.nodes[waiting.back()];
      waiting.pop_back();
      for (const ControlledBy& by : at.control) branches.insert(by.branch);
      for (const unsigned call : callers_[at.function]) {
        if (runs(thread_class, call) && seen.insert(call).second) waiting.push_back(call);
      }
    }
    return {branches.begin(), branches.end()};
  }

  [[nodiscard]] std::set<unsigned> writers(const std::set<unsigned>& nodes) const {
    std::set<unsigned> writers;
    for (const unsigned reader : nodes) {
      for (const unsigned part : graph_.nodes[reader].reads) {
        if (graph_.memory[part].shared) for_each_writer(part, [&](unsigned node) { writers.insert(node); });
      }
    }
    return writers;
  }

  [[nodiscard]] std::set<unsigned> notifications(unsigned thread_class, const std::set<unsigned>& nodes) const {
    Slice slice;
    slice.thread_class = thread_class;
    slice.nodes = nodes;
    add_notifications(slice);
    return slice.enabling;
  }

 private:
  [[nodiscard]] std::set<unsigned> reached_from(const std::vector<unsigned>& entries) const {
    std::set<unsigned> functions(entries.begin(), entries.end());
    std::vector<unsigned> waiting(entries.begin(), entries.end());
    std::map<unsigned, std::set<unsigned>> calls;
    for (const GraphNode& node : graph_.nodes) calls[node.function].insert(node.calls.begin(), node.calls.end());
    while (!waiting.empty()) {
      const unsigned function = waiting.back();
      waiting.pop_back();
      for (const unsigned callee : calls[function]) {
        if (functions.insert(callee).second) waiting.push_back(callee);
      }
    }
    return functions;
  }

  // Everything that `start` depends on in the thread itself.
  void extend(Slice& slice, unsigned start) const {
    std::vector<unsigned> waiting;
    const auto add = [&](unsigned node) {
      if (runs(slice.thread_class, node) && slice.nodes.insert(node).second) waiting.push_back(node);
    };
    add(start);
    constexpr unsigned kBetweenLooks = 64;
    for (unsigned steps = 0; !waiting.empty(); ++steps) {
      if (steps % kBetweenLooks == 0 && is_over_ && is_over_()) return;
      const unsigned number = waiting.back();
      const GraphNode& node = graph_.nodes[number];
      waiting.pop_back();
      for (const ControlledBy& by : node.control) add(by.branch);
      for (const unsigned used : node.uses) add(used);
      for (const unsigned call : callers_[node.function]) add(call);
      if (node.uses_result) {
        for (const unsigned callee : node.calls) add_exits(callee, add);
      }
      for (const unsigned part : node.reads) {
        for_each_writer(part, [&](unsigned writer) {
          if (can_precede(writer, number)) add(writer);
        });
      }
    }
  }

  // In one run of a function that runs once, what comes later does not matter.
  [[nodiscard]] bool can_precede(unsigned writer, unsigned reader) const {
    const unsigned function = graph_.nodes[writer].function;
    return function != graph_.nodes[reader].function || !runs_once(function) || reaches(writer, reader);
  }

  // Nobody calls it: it is where a thread begins.
  [[nodiscard]] bool runs_once(unsigned function) const {
    const std::vector<unsigned>& calls = callers_[function];
    if (calls.empty()) return true;
    const unsigned call = calls[0];
    return calls.size() == 1 && callers_[graph_.nodes[call].function].empty() && !reaches(call, call);
  }

  // By at least one step. Asked again and again of the same few nodes.
  [[nodiscard]] bool reaches(unsigned from, unsigned to) const {
    std::vector<bool>& reached = reached_[from];
    if (!reached.empty()) return reached[to];
    reached.resize(graph_.nodes.size());
    std::vector<unsigned> waiting = {from};
    while (!waiting.empty()) {
      const unsigned at = waiting.back();
      waiting.pop_back();
      for (const unsigned next : graph_.nodes[at].next) {
        if (reached[next]) continue;
        reached[next] = true;
        waiting.push_back(next);
      }
    }
    return reached[to];
  }

  template <class Add>
  void add_exits(unsigned function, Add&& add) const {
    const auto found = exits_.find(function);
    if (found == exits_.end()) return;
    for (const unsigned node : found->second) add(node);
    // Which value is returned may depend on the way there alone.
    const auto branches = branches_.find(function);
    if (branches == branches_.end()) return;
    for (const unsigned node : branches->second) add(node);
  }

  template <class Do>
  void for_each_writer(unsigned part, Do&& act) const {
    const auto found = writers_.find(graph_.memory[part].number);
    if (found == writers_.end()) return;
    for (const auto& [other, node] : found->second) {
      if (graph_.memory[part].overlaps(graph_.memory[other])) act(node);
    }
  }

  // Conditions around the targets, from the inside out.
  void add_guards(Slice& slice, const std::vector<unsigned>& targets) const {
    std::set<unsigned> seen;
    std::vector<unsigned> waiting(targets.begin(), targets.end());
    while (!waiting.empty()) {
      const unsigned node = waiting.back();
      waiting.pop_back();
      if (slice.nodes.count(node) == 0 || !seen.insert(node).second) continue;
      for (const ControlledBy& by : graph_.nodes[node].control) {
        const bool known = std::any_of(slice.guards.begin(), slice.guards.end(), [&](const SliceGuard& guard) {
          return guard.node == by.branch && guard.holds == (by.side == 0);
        });
        if (known) continue;
        slice.guards.push_back({by.branch, by.side == 0, graph_.nodes[by.branch].condition});
        waiting.push_back(by.branch);
      }
      for (const unsigned call : callers_[graph_.nodes[node].function]) waiting.push_back(call);
    }
  }

  // newLocs: writes of shared memory, by any thread, that the slice reads.
  void add_writes(Slice& slice) const {
    std::set<std::pair<unsigned, unsigned>> known;
    for (const unsigned reader : slice.nodes) {
      for (const unsigned part : graph_.nodes[reader].reads) {
        if (!graph_.memory[part].shared) continue;
        for_each_writer(part, [&](unsigned node) {
          for (unsigned other = 0; other < functions_.size(); ++other) {
            const bool own = other == slice.thread_class && !facts_.classes[other].many;
            if (own || !runs(other, node) || !known.emplace(other, node).second) continue;
            slice.writes.push_back({node, other, graph_.memory[part].object, locks_at(other, node)});
          }
        });
      }
    }
  }

  [[nodiscard]] std::vector<std::string> locks_at(unsigned thread_class, unsigned node) const {
    const CodePlace& place = graph_.nodes[node].place;
    for (const Site& site : facts_.sites) {
      const bool write = site.kind == SiteKind::kWrite || site.kind == SiteKind::kAtomicWrite;
      if (write && site.thread_class == thread_class && site.place.line == place.line && site.place.file == place.file)
        return site.locks;
    }
    return {};
  }

  // Statements that start the threads of the slice.
  void add_enabling(Slice& slice) const {
    std::set<unsigned> classes = {slice.thread_class};
    for (const SliceWrite& write : slice.writes) classes.insert(write.thread_class);
    for (unsigned i = 0; i < graph_.nodes.size(); ++i) {
      for (const unsigned started : graph_.nodes[i].starts) {
        for (const unsigned one : classes) {
          const std::vector<unsigned>& entries = graph_.entries[one];
          if (one != 0 && std::find(entries.begin(), entries.end(), started) != entries.end()) slice.enabling.insert(i);
        }
      }
    }
  }

  // Notifications of conditions that functions of the slice wait for.
  void add_notifications(Slice& slice) const {
    std::set<unsigned> functions;
    for (const unsigned node : slice.nodes) functions.insert(graph_.nodes[node].function);
    for (const SitePair& pair : facts_.pairs) {
      if (pair.kind != PairKind::kWN) continue;
      const bool first = facts_.sites[pair.first].kind == SiteKind::kWait;
      const Site& wait = facts_.sites[first ? pair.first : pair.second];
      const Site& notify = facts_.sites[first ? pair.second : pair.first];
      const std::vector<unsigned> waits = nodes_at(graph_, wait.place);
      const bool here = wait.thread_class == slice.thread_class &&
                        std::any_of(waits.begin(), waits.end(),
                                    [&](unsigned node) { return functions.count(graph_.nodes[node].function) != 0; });
      if (!here) continue;
      for (const unsigned node : nodes_at(graph_, notify.place)) slice.enabling.insert(node);
    }
  }

  const Facts& facts_;
  const CodeGraph& graph_;
  const IsOver is_over_;
  std::vector<std::vector<unsigned>> callers_;                              // nodes, of each function
  std::map<unsigned, std::vector<std::pair<unsigned, unsigned>>> writers_;  // object -> part, node
  std::map<unsigned, std::vector<unsigned>> exits_;
  mutable std::map<unsigned, std::vector<bool>> reached_;  // by node: what it reaches
  std::map<unsigned, std::set<unsigned>> branches_;        // of each function
  std::vector<std::set<unsigned>> functions_;              // of each class
};

namespace {

// Where the targets begin: what comes later, exceptions that one of them may throw for instance, depends on them.
std::vector<unsigned> entered(const CodeGraph& graph, const std::vector<unsigned>& targets) {
  const std::set<unsigned> all(targets.begin(), targets.end());
  std::set<unsigned> later;
  for (const unsigned target : targets) {
    for (const unsigned next : graph.nodes[target].next) later.insert(next);
  }
  for (unsigned i = 0; i < graph.nodes.size(); ++i) {
    if (all.count(i) != 0) continue;
    for (const unsigned next : graph.nodes[i].next) later.erase(next);
  }
  std::vector<unsigned> first;
  for (const unsigned target : targets) {
    if (later.count(target) == 0) first.push_back(target);
  }
  return first.empty() ? targets : first;
}

}  // namespace

std::vector<Slice> slices_of(const Facts& facts, const std::vector<unsigned>& targets) {
  const Slicer slicer(facts);
  const std::vector<unsigned> first = entered(facts.graph, targets);
  std::vector<Slice> slices;
  for (unsigned i = 0; i < facts.classes.size() && i < facts.graph.entries.size(); ++i) {
    const bool any = std::any_of(first.begin(), first.end(), [&](unsigned node) { return slicer.runs(i, node); });
    if (any) slices.push_back(slicer.slice(i, first));
  }
  return slices;
}

SliceParts::SliceParts(const Facts& facts, IsOver is_over)
    : facts_(facts), slicer_(std::make_unique<const Slicer>(facts, std::move(is_over))) {}
SliceParts::~SliceParts() = default;

bool SliceParts::runs(unsigned thread_class, unsigned node) const {
  return thread_class < facts_.graph.entries.size() && slicer_->runs(thread_class, node);
}
std::set<unsigned> SliceParts::backward(unsigned thread_class, const std::vector<unsigned>& nodes) const {
  return slicer_->backward(thread_class, nodes);
}
std::vector<unsigned> SliceParts::branches_before(unsigned thread_class, unsigned node) const {
  return slicer_->branches_before(thread_class, node);
}
std::set<unsigned> SliceParts::writers(const std::set<unsigned>& nodes) const {
  return slicer_->writers(nodes);
}
std::set<unsigned> SliceParts::notifications(unsigned thread_class, const std::set<unsigned>& nodes) const {
  return slicer_->notifications(thread_class, nodes);
}
std::vector<unsigned> SliceParts::entered(const std::vector<unsigned>& targets) const {
  return ravel::entered(facts_.graph, targets);
}

}  // namespace ravel
