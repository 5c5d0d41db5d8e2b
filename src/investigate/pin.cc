// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Ravel authors
#include "investigate/pin.h"

#include <fmt/format.h>
#include <unistd.h>

#include <algorithm>
#include <cstdlib>
#include <filesystem>
#include <fstream>

#include "detect/detector_table.h"
#include "investigate/campaign_setup.h"
#include "investigate/confirm.h"
#include "investigate/plan_source.h"
#include "investigate/sequence_test.h"
#include "model/sequence.h"

namespace ravel {
namespace {

// Way by way until the failure shows.
struct Way {
  std::string_view name;
  std::string_view strategy;
  PointsMode points;
  bool guided;
};
constexpr Way kWays[] = {
    {"along the recorded order", "pos", PointsMode::kShared, true},
    {"by the default strategy", "portfolio", PointsMode::kRacy, false},
    {"by pos at all shared accesses", "pos", PointsMode::kShared, false},
    {"by virtual noise", "noise", PointsMode::kShared, false},
};

// The sequence in a file, where the gate reads it; gone with the object.
class GuideFile {
 public:
  explicit GuideFile(const std::string& text) {
    if (text.empty()) return;
    std::error_code error;
    std::string name = (std::filesystem::temp_directory_path(error) / "ravel-pin-XXXXXX").string();
    const int fd = mkstemp(name.data());
    if (fd < 0) return;
    close(fd);
    path_ = name;
    std::ofstream(path_, std::ios::binary) << text;
  }
  GuideFile(const GuideFile&) = delete;
  GuideFile& operator=(const GuideFile&) = delete;
  ~GuideFile() {
    std::error_code error;
    if (!path_.empty()) std::filesystem::remove(path_, error);
  }
  [[nodiscard]] bool empty() const { return path_.empty(); }
  [[nodiscard]] std::string path() const { return path_.string(); }

 private:
  std::filesystem::path path_;
};

struct Search {
  const PinTarget& target;
  const PinRequest& request;
  const GuideFile& guide;
  PinReport& report;
};

// The plan as it was saved, in fresh processes.
void replay_plan(const std::string& plan, const PinTarget& target, PinReport& report) {
  auto source = read_plan_source(plan);
  if (!source) return;
  auto prepared = prepare_plan(std::move(*source), {});
  if (!prepared) return;
  prepared->replay.repeat = kPinReplays;
  auto result = run_replay(prepared->replay);
  if (!result) return;
  report.replays = result->runs;
  const OutcomeKind kind = result->record.outcome;
  const bool races = target.kind == OutcomeKind::kDataRace && !result->record.races.empty();
  const bool same = races || kind == target.kind || (target.kind == OutcomeKind::kSignal && is_about_heap(kind)) ||
                    (is_defect(kind) && (target.kind == OutcomeKind::kHang || target.kind == OutcomeKind::kExitCode));
  report.reproduced = same ? result->runs - std::min<std::uint64_t>(result->mismatches, result->runs) : 0;
}

void note_nearest(PinReport& report, const std::vector<Finding>& findings) {
  for (const Finding& finding : findings) {
    report.nearest = fmt::format("{} `{}' at {}", outcome_name(finding.kind), finding.message, finding.location.text);
  }
}

Result<bool> search(const Search& s, const Way& way, bool keep_going) {
  CampaignRequest options = s.request.base;
  options.strategy = way.strategy;
  options.base.points = way.points;
  options.time = s.request.time;
  options.keep_going = keep_going;
  options.saved_first = false;
  // A race on the way must not end the search for something else.
  options.detectors = s.target.kind == OutcomeKind::kDataRace ? detector_bit(DetectorId::kDataRace) : 0;
  if (auto checked = check_options(options); !checked) return tl::make_unexpected(checked.error());
  CampaignOptions campaign = campaign_options(options, s.request.program, s.request.image, s.request.input);
  if (way.guided) {
    if (auto forced = force_sequence(s.guide.path(), campaign); !forced) return false;  // names something unknown
  }
  auto result = supervise_campaign(campaign, {});
  if (!result) return tl::make_unexpected(result.error());
  s.report.executions += result->executions;
  const Confirmed confirmed = confirm_findings(options, campaign, s.request.image, s.request.input, *result);
  for (const Finding& finding : confirmed.findings) {
    if (!is_same_failure(s.target, finding) || finding.plan.empty()) continue;
    s.report.pinned = true;
    s.report.plan = finding.plan;
    s.report.by = way.name;
    replay_plan(finding.plan, s.target, s.report);
    return true;
  }
  note_nearest(s.report, confirmed.findings);
  return confirmed.findings.empty() || keep_going || result->interrupted ? Result<bool>(false) : search(s, way, true);
}

bool is_inner_lock(const std::vector<FreeEvent>& events, std::size_t at) {
  const OpKind kind = events[at].kind;
  if (kind == OpKind::kMutexUnlock) return at > 0 && events[at - 1].kind == OpKind::kCondWait;
  return kind == OpKind::kMutexLock && at + 1 < events.size() && events[at + 1].kind == OpKind::kCondReacquire;
}

// Of what free runs record, what the gate of controlled executions can hold back.
bool is_sequenced(OpKind kind) {
  return is_sequence_event(kind) && kind <= OpKind::kBarrierLeave;
}

std::string lineage(const FreeRecord& record, std::uint32_t thread) {
  if (thread == 0) return "main";
  const FreeThreadRecord& one = record.threads[thread];
  return fmt::format("{}.{}", one.parent < thread ? lineage(record, one.parent) : "main", one.number);
}

}  // namespace

SynFile guide_of(const FreeRecord& record) {
  SynFile file;
  file.open = true;
  if (!record.order_complete) return file;
  std::vector<std::pair<std::uint64_t, SynEvent>> events;
  for (std::uint32_t thread = 0; thread < record.threads.size(); ++thread) {
    const std::vector<FreeEvent>& own = record.threads[thread].events;
    for (std::size_t i = 0; i < own.size(); ++i) {
      if (!is_sequenced(own[i].kind) || is_inner_lock(own, i)) continue;
      SynEvent event;
      event.thread = lineage(record, thread);
      event.kind = own[i].kind;
      if ((own[i].bits & kFailed) != 0) event.ending = SequenceEnding::kFails;
      events.emplace_back(own[i].order, std::move(event));
    }
  }
  std::sort(events.begin(), events.end(), [](const auto& a, const auto& b) { return a.first < b.first; });
  for (auto& [order, event] : events) file.events.push_back(std::move(event));
  if (file.events.size() > kMaxSequence) file.events.clear();
  number_events(file.events);
  return file;
}

PinTarget pin_target(const FreeFinding& finding, const FreeRecord& record, const PinRequest& request) {
  PinTarget target{
      finding.kind, finding.detector.empty() ? finding.message : finding.identity, finding.location.text, {}};
  SynFile guide = guide_of(record);
  if (guide.events.empty()) return target;
  guide.program = request.image.path;
  guide.arguments.assign(request.program.begin() + 1, request.program.end());
  target.sequence = write_syn(guide);
  return target;
}

// A hang of free-running mode is whatever keeps a controlled execution from its end.
bool is_same_failure(const PinTarget& target, const Finding& finding) {
  if (!finding.detector.empty()) return false;
  if (target.kind == OutcomeKind::kHang) {
    return finding.kind == OutcomeKind::kDeadlock || finding.kind == OutcomeKind::kHang ||
           finding.kind == OutcomeKind::kStepLimit || finding.kind == OutcomeKind::kLivelock;
  }
  // A test framework's failed assertion ends a free run with an exit status.
  if (target.kind == OutcomeKind::kExitCode && finding.kind == OutcomeKind::kAssertion) return true;
  // Controlled mode names the misuse of the heap that the C library, or the processor, noticed later.
  if (target.kind == OutcomeKind::kSignal && is_about_heap(finding.kind)) return true;
  if (finding.kind != target.kind) return false;
  if (target.kind == OutcomeKind::kDataRace) return finding.identity == target.message;
  if (target.kind == OutcomeKind::kDeadlock) return true;
  if (target.kind == OutcomeKind::kExitCode) return finding.message == target.message;
  return target.place == finding.location.text;
}

Result<PinReport> pin_failure(const PinTarget& target, const PinRequest& request) {
  PinReport report;
  report.tried = true;
  report.nearest = "no controlled execution failed";
  const GuideFile guide(target.sequence);
  for (const Way& way : kWays) {
    if (way.guided && guide.empty()) continue;
    auto found = search({target, request, guide, report}, way, false);
    if (!found) return tl::make_unexpected(found.error());
    if (*found) break;
  }
  return report;
}

}  // namespace ravel
