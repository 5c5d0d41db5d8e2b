// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Ravel authors
#include "statics/warning_sequences.h"

#include <fmt/format.h>

#include <algorithm>
#include <set>

#include "model/text/path_text.h"
#include "statics/site_graph.h"
#include "statics/user_places.h"

namespace ravel {
namespace {

constexpr std::size_t kMostDefinitions = 2;  // put before one place

// A site with the thread that is to pass it.
struct Step {
  unsigned site = 0;
  char role = 0;  // 'A', ...; 0: anybody
};
using Steps = std::vector<Step>;

class Maker {
 public:
  Maker(const Facts& facts, const SequenceOptions& options) : facts_(facts), graph_(facts), options_(options) {}

  std::vector<LocationSequence> make(const StaticWarning& warning) {
    if (warning.kind == "race" && warning.sites.size() == 2) race(warning.sites[0], warning.sites[1]);
    if (warning.kind == "lock order") lock_order(warning.sites);
    if (warning.kind == "atomicity" && warning.sites.size() == 2) atomicity(warning.sites[0], warning.sites[1]);
    if (warning.kind == "order") order(warning.sites);
    const std::size_t plain = found_.size();
    for (std::size_t i = 0; options_.definitions && i < plain; ++i) enrich(found_[i]);
    std::stable_sort(found_.begin(), found_.end(), [](const Steps& a, const Steps& b) { return a.size() < b.size(); });
    std::vector<LocationSequence> sequences;
    for (const Steps& steps : found_) {
      if (sequences.size() < options_.most) sequences.push_back(sequence_of(steps));
    }
    return sequences;
  }

 private:
  [[nodiscard]] const Site& site(unsigned index) const { return facts_.sites[index]; }

  void add(Steps steps) {
    std::string key;
    for (const Step& step : steps) {
      const Site& one = site(step.site);
      key += fmt::format("{}:{}:{}:{},", one.place.file, one.place.line, goal_operation(one.kind), step.role);
    }
    if (steps.size() <= kMaxGoalEntries && known_.insert(key).second) found_.push_back(std::move(steps));
  }

  // Whether the threads of the two sites can be two.
  [[nodiscard]] bool two_threads(unsigned a, unsigned b) const {
    return site(a).thread_class != site(b).thread_class || facts_.classes[site(a).thread_class].many;
  }

  // Accesses of one thread that can come behind `first`, to an object of its.
  [[nodiscard]] std::vector<unsigned> later_accesses(unsigned first) const {
    std::vector<unsigned> later;
    for (unsigned i = 0; i < facts_.sites.size(); ++i) {
      const Site& other = site(i);
      if (i == first || other.kind > SiteKind::kAtomicWrite || other.thread_class != site(first).thread_class) continue;
      if (!share_a_name(other.objects, site(first).objects)) continue;
      const bool same_line = other.place.line == site(first).place.line && other.place.file == site(first).place.file;
      if (same_line ? is_read(site(first)) && is_write(other) : comes_behind(first, i)) later.push_back(i);
    }
    return later;
  }
  [[nodiscard]] bool comes_behind(unsigned first, unsigned second) const {
    for (const unsigned from : graph_.nodes_of(first)) {
      for (const unsigned to : graph_.nodes_of(second)) {
        if (from != to && graph_.between(from, to, to)) return true;
      }
    }
    return false;
  }
  // Writes of other threads to what `reader` touches.
  [[nodiscard]] std::vector<unsigned> writes_beside(unsigned reader) const {
    std::vector<unsigned> writes;
    for (unsigned i = 0; i < facts_.sites.size(); ++i) {
      const bool meets = is_write(site(i)) && share_a_name(site(i).objects, site(reader).objects);
      if (meets && two_threads(i, reader)) writes.push_back(i);
    }
    return writes;
  }

  void race(unsigned a, unsigned b) {
    for (const auto& [one, other] : {std::pair(a, b), std::pair(b, a)}) {
      if (!is_write(site(other))) continue;
      for (const unsigned again : later_accesses(one)) add({{one, 'A'}, {other, 'B'}, {again, 'A'}});
    }
    for (const unsigned write : {a, b}) {
      const unsigned other = write == a ? b : a;
      if (!is_write(site(write))) continue;
      for (unsigned i = 0; i < facts_.sites.size(); ++i) {
        const bool reads = is_read(site(i)) && site(i).thread_class == site(write).thread_class &&
                           share_a_name(site(i).objects, site(write).objects) && comes_before(i, write);
        if (reads && is_write(site(other))) add({{i, 'A'}, {other, 'B'}, {write, 'A'}});
      }
    }
    add({{a, 'A'}, {b, 'B'}});
    add({{b, 'B'}, {a, 'A'}});
  }
  [[nodiscard]] bool comes_before(unsigned first, unsigned second) const {
    const bool same_line =
        site(first).place.line == site(second).place.line && site(first).place.file == site(second).place.file;
    return same_line || comes_behind(first, second);
  }

  // The sites are the inner locks; what is held at each is what the one before it in the circle wants.
  void lock_order(const std::vector<unsigned>& inner) {
    if (inner.size() + 1 > kMaxGoalRoles) return;
    Steps steps;
    for (std::size_t i = 0; i < inner.size(); ++i) {
      const Site& waits = site(inner[i]);
      const std::vector<std::string>& held = site(inner[(i + inner.size() - 1) % inner.size()]).objects;
      for (unsigned j = 0; j < facts_.sites.size(); ++j) {
        const bool takes = site(j).kind == SiteKind::kLock && site(j).thread_class == waits.thread_class &&
                           j != inner[i] && share_a_name(site(j).objects, held);
        if (!takes) continue;
        steps.push_back({j, static_cast<char>('A' + i)});
        break;
      }
    }
    if (steps.size() != inner.size()) steps.clear();
    for (std::size_t i = 0; i < inner.size(); ++i) steps.push_back({inner[i], static_cast<char>('A' + i)});
    add(std::move(steps));
  }

  void atomicity(unsigned first, unsigned second) {
    const bool stages = !share_a_name(site(first).objects, site(second).objects);
    for (const unsigned write : writes_beside(first)) {
      add({{first, 'A'}, {write, 'B'}, {second, 'A'}});
      if (!stages) continue;
      for (const unsigned last : writes_beside(second)) {
        if (site(last).thread_class != site(write).thread_class) continue;
        add({{write, 'B'}, {first, 'A'}, {second, 'A'}, {last, 'B'}});
        add({{write, 'B'}, {first, 'A'}, {second, 'A'}});
      }
    }
  }

  void order(const std::vector<unsigned>& sites) {
    const unsigned last = sites.back();
    if (site(last).kind != SiteKind::kWait) {
      if (sites.size() == 2) add({{sites[0], 'A'}, {sites[1], 'B'}});
      return;
    }
    Steps steps;
    for (const unsigned one : sites) steps.push_back({one, one == last ? 'A' : 'B'});
    add(steps);
    // The test of the condition comes first.
    for (unsigned i = 0; i < facts_.sites.size(); ++i) {
      const bool tests = is_read(site(i)) && site(i).thread_class == site(last).thread_class &&
                         share_a_name(site(i).objects, site(sites[0]).objects);
      if (!tests) continue;
      Steps tested = steps;
      tested.insert(tested.begin(), {i, 'A'});
      add(std::move(tested));
    }
  }

  // One level: what the branches before a place read, written by others.
  [[nodiscard]] std::vector<unsigned> definitions_of(unsigned place, const Steps& steps) const {
    std::set<std::string> read;
    for (const unsigned node : graph_.nodes_of(place)) {
      for (const unsigned before : graph_.dependences(node)) {
        for (const unsigned part : facts_.graph.nodes[before].reads) {
          if (facts_.graph.memory[part].shared) read.insert(facts_.graph.memory[part].object);
        }
      }
    }
    const std::vector<std::string> names(read.begin(), read.end());
    std::vector<unsigned> found;
    for (unsigned i = 0; i < facts_.sites.size() && found.size() < kMostDefinitions; ++i) {
      const bool known = std::any_of(steps.begin(), steps.end(), [&](const Step& step) {
        return site(step.site).place.line == site(i).place.line && site(step.site).place.file == site(i).place.file;
      });
      if (is_write(site(i)) && !known && two_threads(i, place) && share_a_name(site(i).objects, names))
        found.push_back(i);
    }
    return found;
  }

  void enrich(const Steps& steps) {
    Steps longer;
    for (const Step& step : steps) {
      Steps all = longer;
      all.insert(all.end(), steps.begin(), steps.end());
      for (const unsigned definition : definitions_of(step.site, all)) longer.push_back({definition, 0});
      longer.push_back(step);
    }
    if (longer.size() != steps.size()) add(std::move(longer));
  }

  [[nodiscard]] LocationSequence sequence_of(const Steps& steps) const {
    LocationSequence sequence;
    for (const Step& step : steps) {
      const Site& one = site(step.site);
      SequencePlace place;
      place.place = {one.place.file, one.place.line, 0};
      place.operations = goal_operation(one.kind);
      place.role = step.role == 0 ? 0 : static_cast<unsigned>(step.role - 'A') + 1;
      place.text = fmt::format("{}:{}", base_name(one.place.file), one.place.line);
      if (step.role != 0) place.text += fmt::format("@{}", step.role);
      sequence.push_back(std::move(place));
    }
    return sequence;
  }

  const Facts& facts_;
  const SiteGraph graph_;
  const SequenceOptions options_;
  std::set<std::string> known_;
  std::vector<Steps> found_;
};

}  // namespace

std::vector<LocationSequence> sequences_of(const Facts& facts, const StaticWarning& warning,
                                           const SequenceOptions& options) {
  return Maker(facts, options).make(warning);
}

}  // namespace ravel
