// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Ravel authors
#include "investigate/free_campaign.h"

#include <fmt/format.h>

#include <algorithm>
#include <filesystem>
#include <map>
#include <set>

#include "cover/metric_table.h"
#include "detect/detector_table.h"
#include "driver/busy_threads.h"
#include "driver/interrupt.h"
#include "investigate/measure_coverage.h"
#include "investigate/noise_blame.h"
#include "report/free_coverage.h"
#include "report/free_defects.h"
#include "report/free_trace.h"
#include "report/ratio.h"
#include "report/suspects.h"
#include "report/system_code.h"

namespace ravel {
namespace {

constexpr std::size_t kPassed = ~std::size_t{0};  // instead of the number of a finding

constexpr std::size_t kMostSuspects = 3;
constexpr std::size_t kMostConfigurations = 10'000;  // that are listed
constexpr double kChanceOfSuspect = 0.05;

std::vector<SuspectLine> telling_suspects(const TaskCoverage& coverage) {
  std::vector<SuspectLine> all = suspects_of(coverage, kMostSuspects);
  std::erase_if(all, [](const SuspectLine& one) { return one.p >= kChanceOfSuspect; });
  return all;
}

class FreeCampaign {
 public:
  FreeCampaign(const FreeCampaignRequest& request, const ProgramImage& image) : request_(request) {
    FreeReport& report = result_.report;
    report.program = image.path;
    report.arguments.assign(request.run.program.argv.begin() + 1, request.run.program.argv.end());
    report.build_id = image.build_id;
    report.seed = request.seed;
    report.noise = request.noise.text();
    const std::uint64_t overlap = detector_bit(DetectorId::kOverlap);
    windows_ = (request.detectors & overlap) != 0;
    learns_races_ = request.noise.placement == FreePlacement::kRacy;
    traces_ = (request.detectors & ~overlap) != 0 || request.coverage.metrics != 0 || learns_races_;
    system_code_ = traces_ ? find_system_code(image.path) : find_library_code(image.path);
    if (request.coverage.metrics == 0) return;
    CoverageRequest asked = request.coverage;
    asked.system_code = system_code_;
    coverage_.emplace(asked);
    result_.coverage.emplace();
    TaskCoverage& coverage = *result_.coverage;
    coverage.program = std::filesystem::path(image.path).filename().string();
    coverage.build_id = image.build_id;
    coverage.strategy = "free";
    coverage.points = "all";
    coverage.adaptive = request.noise.random || request.noise.learns();
    coverage.identity = identity_text(request.coverage);
    coverage.functions_known = std::max<std::uint32_t>(request.coverage.functions, kLeastFirstFunctions);
    coverage.metrics = request.coverage.metrics;
    coverage.noise = request.noise.on ? request.noise.text() : "";
  }

  Result<void> run(const FreeListener& listener) {
    const Clock::time_point started = Clock::now();
    for (std::uint64_t number = 0; request_.runs == 0 || number < request_.runs; ++number) {
      if (InterruptGuard::interrupted() || request_.run.deadline.passed()) break;
      auto record = run_once(number);
      if (!record) return tl::make_unexpected(record.error());
      if (auto found = find_listed(*record, number); !found) return found;
      result_.report.seconds = std::chrono::duration<double>(Clock::now() - started).count();
      if (record->outcome == OutcomeKind::kNotRun) break;
      take(*record, number);
      if (listener) listener(result_.report);
      if (request_.until_failure && result_.report.failed != 0) break;
      if (!threads_seen_ && result_.report.runs >= kVacuousRuns) break;
    }
    result_.report.interrupted = InterruptGuard::interrupted();
    if (coverage_) {
      coverage_->name(*result_.coverage);
      result_.coverage->injected = result_.report.injected.by_place;
      result_.report.coverage = {true, coverage_->tasks(), {}};
      result_.report.suspects = telling_suspects(*result_.coverage);
    }
    blame_places();
    judge();
    return {};
  }

  FreeCampaignResult take_result() { return std::move(result_); }

 private:
  // A program that never had two threads at once will not have them later.
  static constexpr std::uint64_t kVacuousRuns = 5;

  Result<FreeRecord> run_once(std::uint64_t number) {
    noise_ = noise_of_run(request_.noise, request_.seed, number);
    const auto made = std::make_unique<FreeRequest>();
    FreeRequest& request = *made;
    request.observe = request_.noise.random || request_.noise.learns();
    request.trace = traces_;
    request.logging = logging();
    request.windows = windows_;
    request.system_ranges = static_cast<std::uint32_t>(std::min<std::size_t>(system_code_.size(), kFreeSystemCode));
    std::copy_n(system_code_.begin(), request.system_ranges, request.system_code);
    request.sections = static_cast<std::uint32_t>(std::min<std::size_t>(request_.heal.size(), kFreeSections));
    std::copy_n(request_.heal.begin(), request.sections, request.section);
    request.cpus = noise_.cpus;
    const bool first = number == 0 && request_.noise.learns();
    request.noise = noise_for(first ? NoiseConfig{} : noise_, known_, request_.seed, number);
    const BusyThreads load(noise_.load, noise_.cpus);
    return run_free(request_.run, request, [&](const FreeBlock& block) {
      if (request.observe) known_.learn(block, number);
    });
  }

  // Detectors look for what happened once, and near to the end.
  [[nodiscard]] FreeLogging logging() const {
    const std::uint32_t metrics = request_.coverage.metrics;
    if (!need_accesses(metrics)) return FreeLogging::kOnce;
    const bool looked_for = learns_races_ || (request_.detectors & ~detector_bit(DetectorId::kOverlap)) != 0;
    return looked_for || !work_in_bursts(metrics) ? FreeLogging::kAll : FreeLogging::kBursts;
  }

  // Places of a file are known by name once a run has executed them.
  Result<void> find_listed(const FreeRecord& record, std::uint64_t number) {
    if (number != 0 || request_.noise.placement != FreePlacement::kFile) return {};
    auto wanted = read_place_list(request_.noise.places_file);
    if (!wanted) return tl::make_unexpected(wanted.error());
    FreeNames names(record, symbolizer_);
    for (const auto& [key, place] : known_.places()) {
      if (is_listed(*wanted, names.place(key.first).text)) known_.add_listed(key.first);
    }
    if (!known_.listed().empty()) return {};
    return usage_error("no place of the list was executed", request_.noise.places_file, "one file:line per line");
  }

  void take(FreeRecord& record, std::uint64_t number) {
    FreeReport& report = result_.report;
    if (request_.noise.random && report.configurations.size() < kMostConfigurations) {
      report.configurations.push_back(noise_.text());
    }
    threads_seen_ = threads_seen_ || record.most_live > 1;
    accesses_ += record.accesses;
    ready_ = ready_ || record.ready;
    report.healing.entered += record.healing.entered;
    report.healing.waited += record.healing.waited;
    report.healing.given_up += record.healing.given_up;
    if (!record.modules.empty()) {
      FreeNames names(record, symbolizer_);
      add_noise(report.injected, record, names);
    }
    if (record.outcome == OutcomeKind::kCut || record.outcome == OutcomeKind::kKilled) {
      ++report.cut;
      return;
    }
    ++report.runs;
    report.running += record.seconds;
    std::vector<FreeFinding> found;
    FreeNames names(record, symbolizer_);
    if (record.outcome != OutcomeKind::kCompleted) found.push_back(describe_free_failure(record, names));
    if (traces_ || windows_) look_at(record, found);
    if (found.empty()) return note_noise(record, kPassed);
    ++report.failed;
    for (FreeFinding& finding : found) add_finding(record, finding, number);
  }

  void add_finding(const FreeRecord& record, FreeFinding& finding, std::uint64_t number) {
    FreeReport& report = result_.report;
    const auto same = std::find_if(report.findings.begin(), report.findings.end(),
                                   [&](const FreeFinding& known) { return is_same_failure(known, finding); });
    note_noise(record, static_cast<std::size_t>(same - report.findings.begin()));
    if (same != report.findings.end()) {
      ++same->times;
      return;
    }
    finding.first_run = number + 1;
    finding.noise = noise_.text();
    result_.first.push_back({record, report.findings.size()});
    report.findings.push_back(std::move(finding));
  }

  // By detectors and metrics.
  void look_at(const FreeRecord& record, std::vector<FreeFinding>& found) {
    FreeReport& report = result_.report;
    FreeTrace trace = trace_free_run(record);
    const bool failed = !found.empty();
    if (!trace.doubt.empty() && traces_) {
      ++report.doubted;
      report.doubt = trace.doubt;
    }
    const std::uint64_t race = detector_bit(DetectorId::kDataRace);
    FreeDefects defects =
        find_free_defects(trace, record, request_.detectors | (learns_races_ ? race : 0), symbolizer_);
    for (const RaceRecord& one : trace.record.races) {
      known_.add_racy(record.address_of(one.first.location));
      known_.add_racy(record.address_of(one.second.location));
    }
    if ((request_.detectors & race) == 0) {
      std::erase_if(defects.found, [](const FreeFinding& one) { return one.detector == "data-race"; });
    }
    for (const std::string& note : defects.notes) report.notes.insert(note);
    report.incomplete = report.incomplete || (traces_ && !trace.from_start) || defects.truncated;
    for (FreeFinding& one : defects.found) {
      const auto same = [&](const FreeFinding& known) { return is_same_failure(known, one); };
      if (std::none_of(found.begin(), found.end(), same)) found.push_back(std::move(one));
    }
    if (coverage_) coverage_->add(trace, failed || !defects.found.empty());
  }

  // At which places there was noise, in each run.
  void note_noise(const FreeRecord& record, std::size_t finding) {
    if (!request_.noise.on) return;
    FreeNames names(record, symbolizer_);
    std::set<std::string> places;
    for (const auto& [pc, count] : record.injected) places.insert(names.place(pc).text);
    for (const std::string& place : places) ++with_noise_[place][finding];
  }

  void blame_places() {
    FreeReport& report = result_.report;
    const std::uint64_t passing = report.runs - report.failed;
    for (std::size_t i = 0; i < report.findings.size() && passing != 0; ++i) {
      report.findings[i].blame = blame_of(with_noise_, i, report.findings[i].times, passing);
    }
  }

  void judge() {
    FreeReport& report = result_.report;
    const auto vacuous = [&](const char* why) {
      report.vacuous = true;
      report.reason = why;
      report.exit_code = request_.allow_vacuous ? kExitClean : kExitCannotTest;
    };
    if (report.failed != 0) {
      report.exit_code = kExitDefect;
    } else if (report.interrupted) {
      report.exit_code = kExitInterrupted;
    } else if (report.runs == 0) {
      report.exit_code = kExitInconclusive;
      report.reason = "no run came to an end; --hang and --time give it longer";
    } else if (!ready_) {
      vacuous("the program did not load libravel_free.so");
    } else if (accesses_ == 0) {
      vacuous("no instrumented code was executed: build the program's own code with `ravel c++'");
    } else if (!threads_seen_) {
      vacuous("the program never had two threads alive");
    }
  }

  const FreeCampaignRequest& request_;
  FreeCampaignResult result_;
  NoiseKnowledge known_;
  NoiseConfig noise_;
  std::map<std::string, std::map<std::size_t, std::uint64_t>> with_noise_;  // by place and finding
  Symbolizer symbolizer_;                                                   // addresses are the same in every run
  std::vector<CodeRange> system_code_;
  std::optional<FreeCoverage> coverage_;
  bool traces_ = false;
  bool windows_ = false;
  bool learns_races_ = false;  // where races are is where noise is put
  bool threads_seen_ = false;
  bool ready_ = false;
  std::uint64_t accesses_ = 0;
};

}  // namespace

Result<FreeCampaignResult> run_free_campaign(const FreeCampaignRequest& request, const ProgramImage& image,
                                             const FreeListener& listener) {
  const InterruptGuard guard;
  FreeCampaign campaign(request, image);
  if (auto ran = campaign.run(listener); !ran) return tl::make_unexpected(ran.error());
  return campaign.take_result();
}

}  // namespace ravel
