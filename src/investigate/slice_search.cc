// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Ravel authors
#include "investigate/slice_search.h"

#include <fmt/format.h>

#include <algorithm>

#include "driver/merge_results.h"
#include "explore/strategy_table.h"
#include "investigate/slice_threads.h"
#include "investigate/use_facts.h"
#include "statics/abstraction.h"
#include "statics/distances.h"
#include "statics/facts_table.h"
#include "statics/guide_table.h"

namespace ravel {
namespace {

using Milliseconds = std::chrono::milliseconds;

std::vector<std::string> texts_of(const std::set<FileLine>& lines) {
  std::vector<std::string> texts;
  for (const auto& [file, line] : lines) texts.push_back(fmt::format("{}:{}", file, line));
  return texts;
}

ParameterValues parameters_of(const std::string& strategy) {
  const std::size_t comma = strategy.find(',');
  ParameterValues values;
  (void)parse_parameters(find_strategy(strategy)->parameters,
                         comma == std::string::npos ? std::string_view{} : std::string_view(strategy).substr(comma + 1),
                         values);
  return values;
}

// A place that fails when it is run: what is looked for is the failure, not that a thread comes there.
std::vector<unsigned> failing_nodes(const Facts& facts, const SequencePlace& place) {
  std::vector<unsigned> nodes;
  for (const StaticTarget& target : facts.targets) {
    if (target.place.line != place.place.line || !place.function.empty()) continue;
    const std::vector<unsigned> here = nodes_at(facts.graph, place.place);
    const std::vector<unsigned> failing = nodes_at(facts.graph, target.place);
    for (const unsigned node : failing) {
      if (std::find(here.begin(), here.end(), node) != here.end()) nodes.push_back(node);
    }
  }
  return nodes;
}

class SliceSearch {
 public:
  SliceSearch(const CampaignRequest& options, const ProgramImage& image, const Facts& facts, CampaignOptions& campaign,
              SliceReport& report, const ProgressListener& listener)
      : facts_(facts),
        match_(match_places(facts, image.path)),
        maker_(image.path, &facts_, &match_),
        threads_(facts, maker_.places()),
        campaign_(campaign),
        report_(report),
        listener_(listener),
        parameters_(parameters_of(options.strategy)),
        budget_(campaign.budget) {}

  Result<CampaignResult> run(const std::vector<SequencePlace>& targets) {
    if (auto taken = take_targets(targets); !taken) return tl::make_unexpected(taken.error());
    const bool decisive = parameters_["start"] != 0;
    Abstraction abstraction(facts_, nodes_, decisive ? Abstraction::Width::kDecisive : Abstraction::Width::kSlice,
                            entries_.empty(), [this] { return is_over(); });
    points_ = abstraction.closure();
    lines_ = parameters_["grain"] != 0;
    if (is_over()) return finish("budget", "before the program was run: its slice took all the time");
    if (auto seen = explore(abstraction, 1); !seen) return tl::make_unexpected(seen.error());
    if (found_error()) return finish("error", "before anything was interleaved");
    report_.rounds.clear();
    if (!begin(abstraction)) return finish("no-error", "no thread was seen that can run the target");
    for (;;) {
      if (is_over()) return finish("budget", "");
      if (auto explored = explore(abstraction, 0); !explored) return tl::make_unexpected(explored.error());
      if (found_error()) return finish("error", "");
      if (!last_.promise_kept) return finish("budget", last_.strategy_note);
      const bool grown = grow(abstraction);
      if (is_over()) return finish("budget", "");
      if (!grown) return finish("no-error", "");
    }
  }

 private:
  Result<void> take_targets(const std::vector<SequencePlace>& targets) {
    for (const SequencePlace& one : targets) {
      report_.targets.push_back(one.text);
      if (one.place.line == 0 || !one.function.empty()) {
        return usage_error("a target is a line of a file", one.text, "as in --target queue.cpp:41");
      }
      std::vector<unsigned> failing = failing_nodes(facts_, one);
      if (targets.size() > 1 || failing.empty()) {
        nodes_.push_back(nodes_at(facts_.graph, one.place));
        entries_.push_back(one);
      } else {
        nodes_.push_back(std::move(failing));
      }
      if (nodes_.back().empty())
        return usage_error("no code stands at", one.text, "by the static facts of the program");
    }
    return {};
  }

  [[nodiscard]] bool is_over() const {
    const bool late = budget_.time.count() != 0 && Clock::now() - started_ >= budget_.time;
    return late || total_.interrupted || (budget_.iterations != 0 && total_.executions >= budget_.iterations);
  }

  bool begin(const Abstraction& abstraction) {
    for (std::size_t i = 0; i < nodes_.size(); ++i) {
      const auto thread = threads_.for_target(abstraction, i, inside_);
      if (!thread) return false;
      inside_.push_back(*thread);
      added_.push_back(*thread);
    }
    added_lines_ = abstraction.lines();
    return true;
  }

  Result<void> prepare(const Abstraction& abstraction) {
    auto lists = maker_.make_slice(entries_, abstraction.lines(), points_);
    if (!lists) return tl::make_unexpected(lists.error());
    lists->slice = threads_.list(inside_);
    const FactsTable table = make_facts_table(facts_, match_, FactPoints::kNone, &*lists);
    auto memory = FactsMemory::create(table.bytes);
    if (!memory) return tl::make_unexpected(memory.error());
    campaign_.facts = std::move(*memory);
    campaign_.strategy = fmt::format("slice,grain={},symmetry={}", lines_ ? "line" : "access",
                                     parameters_["symmetry"] != 0 ? "on" : "off");
    return {};
  }

  // `most`: executions; 0: what the budget has left.
  Result<void> explore(const Abstraction& abstraction, std::uint64_t most) {
    if (auto ready = prepare(abstraction); !ready) return tl::make_unexpected(ready.error());
    campaign_.budget = budget_;
    if (budget_.iterations != 0)
      campaign_.budget.iterations = budget_.iterations - std::min(budget_.iterations - 1, total_.executions);
    if (most != 0) campaign_.budget.iterations = most;
    if (budget_.time.count() != 0) {
      const auto used = std::chrono::duration_cast<Milliseconds>(Clock::now() - started_);
      campaign_.budget.time = std::max(budget_.time - used, Milliseconds(1));
    }
    auto result = supervise_campaign(campaign_, listener_);
    if (!result) return tl::make_unexpected(result.error());
    last_ = std::move(*result);
    threads_.take_in(last_.seen);
    last_.seen.clear();
    log_round(abstraction);
    add_to_total();
    return {};
  }

  void add_to_total() {
    const std::uint64_t before = total_.executions;
    for (FoundSeed& seed : last_.found) seed.execution += before;
    if (rounds_++ == 0) {
      total_ = last_;
      return;
    }
    CampaignResult sum = last_;
    sum.executions += total_.executions;
    sum.steps += total_.steps;
    sum.decisions += total_.decisions;
    sum.distinct_traces += total_.distinct_traces;
    sum.seconds += total_.seconds;
    sum.with_choice += total_.with_choice;
    sum.goal_states += total_.goal_states;
    sum.executions_by_job = {sum.executions};
    sum.found.insert(sum.found.begin(), total_.found.begin(), total_.found.end());
    sum.found = one_per_key(std::move(sum.found));
    total_ = std::move(sum);
  }

  void log_round(const Abstraction& abstraction) {
    SliceRoundReport round;
    for (const std::size_t thread : inside_) round.threads.push_back(threads_.label(thread));
    for (const std::size_t thread : added_) round.added_threads.push_back(threads_.label(thread));
    round.lines = texts_of(abstraction.lines());
    round.added_lines = texts_of(added_lines_);
    round.grain = lines_ ? "line" : "access";
    round.executions = last_.executions;
    round.states = last_.goal_states;
    round.seconds = last_.seconds;
    round.end = found_error() ? "error" : last_.promise_kept ? "explored" : "budget";
    report_.states += last_.goal_states;
    report_.rounds.push_back(std::move(round));
    added_.clear();
    added_lines_.clear();
  }

  [[nodiscard]] bool found_error() const {
    const bool reached = !entries_.empty() && last_.goal_level >= entries_.size();
    return reached || std::any_of(last_.found.begin(), last_.found.end(),
                                  [](const FoundSeed& seed) { return seed.source == FindingSource::kOutcome; });
  }

  // The next round; false: there is nothing left to add.
  bool grow(Abstraction& abstraction) {
    added_lines_ =
        abstraction.refine(abstraction.reached_nodes(threads_.reached_by(inside_)), threads_.classes_of(inside_));
    for (std::uint64_t i = 0; i < parameters_["add"] && inside_.size() < kMaxSliceThreads / 2; ++i) {
      const auto thread = threads_.to_add(abstraction, inside_);
      if (!thread) break;
      inside_.push_back(*thread);
      added_.push_back(*thread);
    }
    if (!added_.empty() || !added_lines_.empty()) return true;
    if (lines_ && parameters_["grain"] == 2) {
      lines_ = false;
      return true;
    }
    if (abstraction.width() == Abstraction::Width::kSlice) return false;
    added_lines_ = abstraction.widen();
    return !added_lines_.empty() || grow(abstraction);
  }

  CampaignResult finish(std::string verdict, std::string reason) {
    report_.verdict = std::move(verdict);
    report_.reason = std::move(reason);
    total_.promise_kept = report_.verdict != "budget";
    return std::move(total_);
  }

  const Clock::time_point started_ = Clock::now();  // first: matching counts
  const Facts& facts_;
  const PlaceMatch match_;
  const GuideMaker maker_;
  SliceThreads threads_;
  CampaignOptions& campaign_;
  SliceReport& report_;
  const ProgressListener& listener_;
  const ParameterValues parameters_;
  const Budget budget_;
  std::vector<std::vector<unsigned>> nodes_;  // of each target
  LocationSequence entries_;                  // targets that a thread has to come to; else a failure is looked for
  std::set<FileLine> points_;
  std::vector<std::size_t> inside_;
  std::vector<std::size_t> added_;  // since the last round
  std::set<FileLine> added_lines_;
  bool lines_ = false;  // threads are interrupted between lines only
  CampaignResult last_;
  CampaignResult total_;
  std::size_t rounds_ = 0;
};

}  // namespace

Result<CampaignResult> search_slices(const CampaignRequest& options, const ProgramImage& image,
                                     CampaignOptions& campaign, SliceReport& report, const ProgressListener& listener) {
  auto facts = needed_facts(options, image);
  if (!facts) return tl::make_unexpected(facts.error());
  return SliceSearch(options, image, *facts, campaign, report, listener).run(options.targets);
}

}  // namespace ravel
