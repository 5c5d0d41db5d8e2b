// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Ravel authors
#include "investigate/confirm_warnings.h"

#include <fmt/format.h>

#include <algorithm>
#include <optional>

#include "driver/plan_store.h"
#include "investigate/campaign_setup.h"
#include "investigate/confirm.h"
#include "investigate/keep_goal.h"
#include "model/text/path_text.h"
#include "statics/facts_table.h"
#include "statics/guide_table.h"
#include "statics/place_match.h"
#include "statics/warning_sequences.h"

namespace ravel {
namespace {

using Milliseconds = std::chrono::milliseconds;

constexpr std::uint64_t kExecutionsPerSequence = 200;
constexpr Milliseconds kLeastTimeOfSequence{200};  // of a sequence
constexpr Milliseconds kMostComplete{5'000};
constexpr Milliseconds kSimplify{300};

std::string line_of(const CodePlace& place) {
  return fmt::format("{}:{}", base_name(place.file), place.line);
}

bool fails(const Finding& finding) {
  return finding.detector.empty() && finding.kind != OutcomeKind::kDataRace;
}

// "write src/bank.cpp:14 / read bank.cpp:16" and the lines of a warning.
bool is_race_of(const Finding& finding, const WarningToConfirm& warning) {
  if (finding.kind != OutcomeKind::kDataRace || warning.places.size() < 2) return false;
  std::vector<std::string> sides;
  const std::size_t middle = finding.identity.find(" / ");
  if (middle == std::string::npos) return false;
  for (const std::string& side : {finding.identity.substr(0, middle), finding.identity.substr(middle + 3)}) {
    sides.push_back(base_name(side.substr(side.rfind(' ') + 1)));
  }
  const std::string a = line_of(warning.places[0]);
  const std::string b = line_of(warning.places[1]);
  return (sides[0] == a && sides[1] == b) || (sides[0] == b && sides[1] == a);
}

// The order of its places is what the warning claims; of the others more is needed than that they were passed.
bool is_about_order(const WarningToConfirm& warning) {
  return warning.kind != "race" && warning.kind != "lock order";
}
bool is_decided_by_search(const WarningToConfirm& warning) {
  return !is_about_order(warning);
}

class Confirmer {
 public:
  Confirmer(const CampaignRequest& request, const std::vector<std::string>& program, const ProgramImage& image,
            const StandardInput& input, const Facts& facts)
      : request_(request),
        program_(program),
        image_(image),
        input_(input),
        facts_(facts),
        match_(match_places(facts, image.path)),
        maker_(image.path, &facts_, &match_),
        started_(Clock::now()),
        time_(request.time.value_or(kDefaultTime)) {}

  Result<ConfirmedWarnings> run(const std::vector<WarningToConfirm>& warnings) {
    for (std::size_t i = 0; i < warnings.size(); ++i) {
      auto verdict = confirm(warnings[i], left() / static_cast<std::int64_t>(warnings.size() - i + 1));
      if (!verdict) return tl::make_unexpected(verdict.error());
      if (auto kept = keep_plan(*verdict, i + 1); !kept) return tl::make_unexpected(kept.error());
      out_.verdicts.push_back(std::move(*verdict));
    }
    const bool open = std::any_of(out_.verdicts.begin(), out_.verdicts.end(), [](const WarningVerdict& verdict) {
      return verdict.end == WarningEnd::kNotConfirmed;
    });
    if (open && left() >= kLeastTimeOfSequence) {
      if (auto searched = search_all(warnings); !searched) return tl::make_unexpected(searched.error());
    }
    return std::move(out_);
  }

 private:
  [[nodiscard]] Milliseconds left() const {
    const auto used = std::chrono::duration_cast<Milliseconds>(Clock::now() - started_);
    return used >= time_ ? Milliseconds(1) : time_ - used;
  }

  // Two warnings may lead to one defect, each along its own places.
  static Result<void> keep_plan(WarningVerdict& verdict, std::size_t warning) {
    if (verdict.plan.empty()) return {};
    auto own = save_for_warning(verdict.plan, warning);
    if (!own) return tl::make_unexpected(own.error());
    verdict.plan = std::move(*own);
    return {};
  }

  struct Explored {
    CampaignOptions campaign;
    CampaignResult result;
  };

  Result<WarningVerdict> confirm(const WarningToConfirm& warning, Milliseconds share) {
    WarningVerdict verdict;
    std::optional<WarningVerdict> real;
    std::size_t done = 0;
    const Clock::time_point end = Clock::now() + share;
    for (const LocationSequence& sequence : warning.sequences) {
      const std::size_t waiting = warning.sequences.size() - done++;
      const auto rest = std::chrono::duration_cast<Milliseconds>(end - Clock::now());
      if (rest.count() <= 0 && done != 1) break;
      const LocationSequence present = without_missing(sequence);
      auto lists = maker_.make(present);
      if (!lists || present.empty()) continue;
      CampaignRequest request = request_;
      request.strategy = "meta";
      request.goal = present;
      request.iterations = kExecutionsPerSequence;
      request.time = std::max(rest / static_cast<std::int64_t>(waiting), kLeastTimeOfSequence);
      auto explored = explore(request, &*lists);
      if (!explored) return tl::make_unexpected(explored.error());
      const bool claimed = done <= warning.claims && present.size() == sequence.size();
      judge(warning, request, *explored, claimed, verdict, real);
      if (verdict.end == WarningEnd::kHarmful) return verdict;
    }
    if (!real) return verdict;
    real->executions = verdict.executions;
    real->states = verdict.states;
    return *real;
  }

  // The compiler that built the program may have no code at a place: a call at the end of a function is a jump.
  [[nodiscard]] LocationSequence without_missing(const LocationSequence& sequence) const {
    LocationSequence present;
    for (const SequencePlace& one : sequence) {
      if (maker_.make({one})) present.push_back(one);
    }
    return present.size() >= 2 || present.size() == sequence.size() ? present : LocationSequence{};
  }

  Result<Explored> explore(CampaignRequest& request, const GuideLists* guide) {
    request.minimise = kSimplify;
    request.saved_first = false;
    if (auto checked = check_options(request); !checked) return tl::make_unexpected(checked.error());
    Explored out;
    out.campaign = campaign_options(request, program_, image_, input_);
    out.campaign.ends_at_goal = false;
    if (guide != nullptr) {
      const FactsTable table = make_facts_table(facts_, match_, FactPoints::kNone, guide);
      auto memory = FactsMemory::create(table.bytes);
      if (!memory) return tl::make_unexpected(memory.error());
      out.campaign.facts = std::move(*memory);
    }
    auto result = supervise_campaign(out.campaign, {});
    if (!result) return tl::make_unexpected(result.error());
    out.result = std::move(*result);
    return out;
  }

  // What the executions along one sequence amount to. `claimed`: that order of places is what the warning says.
  void judge(const WarningToConfirm& warning, const CampaignRequest& request, Explored& explored, bool claimed,
             WarningVerdict& verdict, std::optional<WarningVerdict>& real) {
    verdict.executions += explored.result.executions;
    verdict.states += explored.result.goal_states;
    const std::vector<FoundSeed> all = explored.result.found;
    for (const Finding& finding : findings_of(request, explored)) {
      if (fails(finding)) {
        verdict.goal = goal_progress(request, explored.result);
        return found(verdict, WarningEnd::kHarmful, finding);
      }
      if (!real && is_race_of(finding, warning)) found(real.emplace(), WarningEnd::kReal, finding);
    }
    explored.result.found = all;
    std::vector<std::string> troubles;
    GoalReport goal = is_about_order(warning)
                          ? keep_goal(request, explored.campaign, image_, input_, explored.result, troubles)
                          : goal_progress(request, explored.result);
    out_.notes.insert(out_.notes.end(), troubles.begin(), troubles.end());
    if (!real && goal.reached && is_about_order(warning) && claimed) {
      real.emplace();
      real->end = WarningEnd::kReal;
      real->failure = "the places were passed in this order";
      real->plan = goal.plan;
      real->goal = goal;
    }
    const auto part = [](const GoalReport& one) {
      return one.places.empty() ? -1.0 : static_cast<double>(one.observed) / static_cast<double>(one.places.size());
    };
    if (part(goal) > part(verdict.goal)) verdict.goal = std::move(goal);
  }

  // Failures if there are any, else races: each costs processes of its own.
  std::vector<Finding> findings_of(const CampaignRequest& request, Explored& explored) {
    std::vector<FoundSeed>& seeds = explored.result.found;
    const auto is_failure = [](const FoundSeed& seed) { return seed.source == FindingSource::kOutcome; };
    const bool failed = std::any_of(seeds.begin(), seeds.end(), is_failure);
    std::erase_if(
        seeds, [&](const FoundSeed& seed) { return failed ? !is_failure(seed) : seed.source != FindingSource::kRace; });
    if (seeds.empty()) return {};
    Confirmed confirmed = confirm_findings(request, explored.campaign, image_, input_, explored.result);
    for (std::string& line : confirmed.not_confirmed) out_.notes.push_back("not reproduced: " + std::move(line));
    return std::move(confirmed.findings);
  }

  static void found(WarningVerdict& verdict, WarningEnd end, const Finding& finding) {
    verdict.end = end;
    verdict.failure = fmt::format("{} {}", outcome_name(finding.kind), finding.message);
    verdict.place = finding.location.text;
    verdict.plan = finding.plan;
    verdict.preemptions = finding.preemptions;
  }

  // Everything, if it is small enough.
  Result<void> search_all(const std::vector<WarningToConfirm>& warnings) {
    CampaignRequest request = request_;
    request.strategy = "dpor";
    request.iterations.reset();
    request.time = std::min(left(), kMostComplete);
    request.keep_going = true;
    auto explored = explore(request, nullptr);
    if (!explored) return tl::make_unexpected(explored.error());
    const bool complete = explored->result.complete;
    const std::vector<Finding> findings = findings_of(request, *explored);
    const bool clean = explored->result.found.empty();  // also of what a fresh process did not show again
    for (const Finding& finding : findings) {
      if (fails(finding)) {
        out_.notes.push_back(fmt::format("a search of everything found {} {} {}; reproduce: ravel replay {}",
                                         outcome_name(finding.kind), finding.message, finding.location.text,
                                         finding.plan));
      }
    }
    for (std::size_t i = 0; i < warnings.size(); ++i) {
      WarningVerdict& verdict = out_.verdicts[i];
      if (verdict.end != WarningEnd::kNotConfirmed) continue;
      const auto race = std::find_if(findings.begin(), findings.end(),
                                     [&](const Finding& finding) { return is_race_of(finding, warnings[i]); });
      if (race != findings.end()) {
        found(verdict, WarningEnd::kReal, *race);
        if (auto kept = keep_plan(verdict, i + 1); !kept) return tl::make_unexpected(kept.error());
      } else if (complete && clean && is_decided_by_search(warnings[i])) {
        verdict.end = WarningEnd::kCannotHappen;
        verdict.executions += explored->result.executions;
      }
    }
    if (complete) {
      out_.notes.push_back(fmt::format("all {} behaviours were explored", explored->result.executions));
    }
    return {};
  }

  const CampaignRequest& request_;
  const std::vector<std::string>& program_;
  const ProgramImage& image_;
  const StandardInput& input_;
  const Facts& facts_;
  const PlaceMatch match_;
  const GuideMaker maker_;
  Clock::time_point started_;
  Milliseconds time_;
  ConfirmedWarnings out_;
};

}  // namespace

std::vector<WarningToConfirm> warnings_of(const Facts& facts) {
  std::vector<WarningToConfirm> warnings;
  for (const StaticWarning& warning : facts.warnings) {
    WarningToConfirm one;
    one.kind = warning.kind;
    one.text = warning.text;
    for (const unsigned site : warning.sites) one.places.push_back(facts.sites[site].place);
    one.sequences = sequences_of(facts, warning);
    warnings.push_back(std::move(one));
  }
  return warnings;
}

Result<ConfirmedWarnings> confirm_warnings(const CampaignRequest& request, const std::vector<std::string>& program,
                                           const Facts& facts, const std::vector<WarningToConfirm>& warnings) {
  auto image = testable_program(program[0]);
  if (!image) return tl::make_unexpected(image.error());
  auto input = StandardInput::open(request.stdin_file);
  if (!input) return tl::make_unexpected(input.error());
  return Confirmer(request, program, *image, *input, facts).run(warnings);
}

}  // namespace ravel
