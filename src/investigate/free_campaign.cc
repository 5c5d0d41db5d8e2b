// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Ravel authors
#include "investigate/free_campaign.h"

#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <set>

#include "driver/interrupt.h"
#include "investigate/noise_blame.h"
#include "report/ratio.h"

namespace ravel {
namespace {

constexpr std::size_t kPassed = ~std::size_t{0};  // instead of the number of a finding

class FreeCampaign {
 public:
  FreeCampaign(const FreeCampaignRequest& request, const ProgramImage& image) : request_(request) {
    FreeReport& report = result_.report;
    report.program = image.path;
    report.arguments.assign(request.run.program.argv.begin() + 1, request.run.program.argv.end());
    report.build_id = image.build_id;
    report.seed = request.seed;
    report.noise = request.noise.text();
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
    FreeRequest request;
    request.observe = request_.noise.random || request_.noise.learns();
    request.cpus = noise_.cpus;
    const bool first = number == 0 && request_.noise.learns();
    request.noise = noise_for(first ? NoiseConfig{} : noise_, known_, request_.seed, number);
    return run_free(request_.run, request, [&](const FreeBlock& block) {
      if (request.observe) known_.learn(block, number);
    });
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
    threads_seen_ = threads_seen_ || record.most_live > 1;
    accesses_ += record.accesses;
    ready_ = ready_ || record.ready;
    if (!record.modules.empty()) {
      FreeNames names(record, symbolizer_);
      add_noise(report.injected, record, names);
    }
    if (record.outcome == OutcomeKind::kCut || record.outcome == OutcomeKind::kKilled) {
      ++report.cut;
      return;
    }
    ++report.runs;
    if (record.outcome == OutcomeKind::kCompleted) return note_noise(record, kPassed);
    ++report.failed;
    FreeNames names(record, symbolizer_);
    FreeFinding finding = describe_free_failure(record, names);
    const auto same = std::find_if(report.findings.begin(), report.findings.end(),
                                   [&](const FreeFinding& known) { return is_same_failure(known, finding); });
    note_noise(record, static_cast<std::size_t>(same - report.findings.begin()));
    if (same != report.findings.end()) {
      ++same->times;
      return;
    }
    finding.first_run = number + 1;
    finding.noise = noise_.text();
    result_.first.push_back({std::move(record), report.findings.size()});
    report.findings.push_back(std::move(finding));
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
