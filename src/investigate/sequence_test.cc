// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Ravel authors
#include "investigate/sequence_test.h"

#include <fmt/format.h>

#include <algorithm>
#include <chrono>
#include <fstream>
#include <map>
#include <sstream>

#include "driver/plan_store.h"
#include "driver/supervise.h"
#include "investigate/campaign_setup.h"
#include "investigate/replay_of.h"
#include "investigate/sequence_names.h"
#include "report/plan_builder.h"
#include "report/sequence.h"
#include "semantics/message.h"
#include "wire/findings.h"

namespace ravel {
namespace {

std::string reason_of(const ExecutionRecord& record, const WaitingRecord& waiting) {
  if (waiting.holder == kNoThread) return {};
  const std::string holder = lineage_of(record.threads, waiting.holder);
  if (waiting.role == HolderRole::kJoined) return "until " + holder + " has ended";
  return (waiting.role == HolderRole::kAhead ? "behind " : "held by ") + holder;
}

// "open withdraw; closed deposit": what a receiver waits for, of the ports that were called at its inbox.
std::string alternatives_of(const ExecutionRecord& record, SequenceNames& objects, const Event& receiver) {
  std::uint64_t open = 0;
  std::map<std::uint16_t, std::string> ports;
  const auto see = [&](const Event& event) {
    if (event.kind == OpKind::kOpen && place_of(event) == place_of(receiver)) open = event.value;
    const bool alternative = event.kind == OpKind::kMeet || event.kind == OpKind::kEnlist;
    if (alternative && event.value == place_of(receiver)) ports[event.size] = objects.name_of(place_of(event));
  };
  for (const Event& event : record.events) see(event);
  for (const Event& event : record.pending) see(event);
  std::string texts[2];
  for (const auto& [bit, name] : ports) {
    std::string& text = texts[open >> (bit & 63) & 1];
    text += (text.empty() ? "" : ", ") + name;
  }
  std::string text = texts[1].empty() ? "" : "open " + texts[1];
  if (!texts[0].empty()) text += (text.empty() ? "closed " : "; closed ") + texts[0];
  return text;
}

// Of a call: the receiver is open to it, and only the sequence holds it back.
bool can_meet_now(const ExecutionRecord& record, const Event& call) {
  InboxState inbox;
  for (const Event& event : record.events) {
    if (event.kind == OpKind::kOpen && place_of(event) == call.value) open_inbox(inbox, event.value);
    const bool receives = event.kind == OpKind::kAccept || event.kind == OpKind::kElse || event.kind == OpKind::kSelect;
    if (receives && place_of(event) == call.value) (void)close_inbox(inbox);
    if (event.kind == OpKind::kMeet && event.value == call.value) meet(inbox, 1);
  }
  return can_meet(inbox, call.size);
}

std::string operation_text(const ExecutionRecord& record, SequenceNames& objects, const Event& pending,
                           StoppedThread& thread) {
  const bool free_lock = pending.kind == OpKind::kMutexLock && thread.reason.empty();
  if (free_lock || (pending.kind == OpKind::kMeet && can_meet_now(record, pending))) thread.reason = "could go on";
  if (pending.kind == OpKind::kMeet) return "calls " + objects.port_of(pending);
  if (pending.kind == OpKind::kReturn) return "waits for a reply";
  if (pending.kind == OpKind::kAccept || pending.kind == OpKind::kElse || pending.kind == OpKind::kSelect) {
    thread.reason = alternatives_of(record, objects, pending);
    return "selects";
  }
  const std::string text(op_name(pending.kind));
  return is_listed_event(pending.kind) ? text + " " + objects.object_of(pending) : text;
}

// By the names that the file has for them.
std::vector<StoppedThread> stopped_threads(Names& names, const SynFile& file) {
  const ExecutionRecord& record = names.record();
  SequenceNames objects(names);
  std::vector<StoppedThread> out;
  for (const WaitingRecord& waiting : record.waiting) {
    StoppedThread thread;
    thread.thread = lineage_of(record.threads, waiting.thread);
    for (const auto& [name, lineage] : file.threads) {
      if (lineage == thread.thread) thread.thread = name;
    }
    thread.operation = op_name(waiting.wants);
    thread.reason = reason_of(record, waiting);
    for (const Event& pending : record.pending) {
      if (pending.thread == waiting.thread) thread.operation = operation_text(record, objects, pending, thread);
    }
    thread.place = names.place_text(waiting.location, waiting.context);
    out.push_back(std::move(thread));
  }
  return out;
}

class SequenceTester {
 public:
  SequenceTester(const SequenceQuestion& question, const CampaignRequest& request)
      : question_(question), request_(request) {}

  Result<SequenceResult> run() {
    request_.strategy = request_.strategy.empty() ? "dpor" : request_.strategy;
    request_.keep_going = true;
    request_.prefix = question_.name;
    auto setup = check_options(request_);
    if (!setup) return tl::make_unexpected(setup.error());
    if (!setup->strategy->promises()) {
      return usage_error("--strategy needs one that can be complete", request_.strategy, "dpor or dfs");
    }
    auto image = testable_program(question_.program[0]);
    if (!image) return tl::make_unexpected(image.error());
    if (image->calls_explore) {
      return cannot_test("sequences are of whole programs", question_.program[0], "it calls ravel::explore()");
    }
    auto input = StandardInput::open(question_.file.stdin_path);
    if (!input) return tl::make_unexpected(input.error());
    campaign_ = campaign_options(request_, question_.program, *image, *input);
    if (auto ready = prepare(); !ready) return tl::make_unexpected(ready.error());
    auto result = supervise_campaign(campaign_, [](const CampaignResult&) {});
    if (!result) return tl::make_unexpected(result.error());
    auto first = judge(*result, *image);
    const bool other_end = first && first->end != SequenceEnd::kInfeasible && first->fits && !first->as_expected;
    if (!other_end || !looks_closer(question_.file.expect)) return first;
    // Executions with the same outcome may print something else: all of them, one after the other.
    campaign_.outcomes = kListTraces;
    result = supervise_campaign(campaign_, [](const CampaignResult&) {});
    if (!result) return tl::make_unexpected(result.error());
    result->complete = result->complete && result->outcomes.size() < kMaxOutcomes;
    return judge(*result, *image);
  }

 private:
  Result<void> prepare() {
    const SynExpectation& expect = question_.file.expect;
    KnownObjects known;
    if (auto learnt = known.learn(replay_of(campaign_), question_.file); !learnt) return learnt;
    auto list = resolve_sequence(question_.file, known, question_.name);
    if (!list) return tl::make_unexpected(list.error());
    campaign_.sequence = std::move(*list);
    campaign_.outcomes = until_fit(expect.outcome.value_or(OutcomeKind::kNotRun));
    return {};
  }

  Result<SequenceResult> judge(const CampaignResult& campaign, const ProgramImage& image) {
    SequenceResult out;
    out.executions = campaign.executions;
    std::vector<const FoundOutcome*> fits;
    const FoundOutcome* furthest = nullptr;
    for (const FoundOutcome& found : campaign.outcomes) {
      if (found.sequence_fits) fits.push_back(&found);
      if (furthest == nullptr || found.sequence_done > furthest->sequence_done) furthest = &found;
    }
    bool all_seen = campaign.complete;
    if (!fits.empty()) {
      out.end = SequenceEnd::kFeasible;
      if (auto shown = show_one(fits, image, out, all_seen); !shown) return tl::make_unexpected(shown.error());
    } else if (furthest == nullptr) {
      return cannot_test("no execution came to its end", question_.program[0], campaign.trouble);
    } else {
      out.end = campaign.complete ? SequenceEnd::kInfeasible : SequenceEnd::kUndecided;
      if (!campaign.complete) out.note = why_open(campaign);
      if (auto shown = show_stuck(*furthest, out); !shown) return tl::make_unexpected(shown.error());
    }
    compare(out);
    // Another end may follow, unless all were seen.
    if (out.end == SequenceEnd::kFeasible && !out.as_expected && !all_seen && expects_an_end()) {
      out.end = SequenceEnd::kUndecided;
      out.note = why_open(campaign);
    }
    return out;
  }

  static std::string why_open(const CampaignResult& campaign) {
    return campaign.strategy_note.empty() ? "the budget ended" : campaign.strategy_note;
  }
  [[nodiscard]] bool expects_an_end() const {
    return question_.file.expect.outcome || looks_closer(question_.file.expect);
  }

  // The first that is as the file expects; none: the first with the outcome that it expects, else the first.
  Result<void> show_one(std::vector<const FoundOutcome*> fits, const ProgramImage& image, SequenceResult& out,
                        bool& all_seen) {
    const auto& outcome = question_.file.expect.outcome;
    std::stable_partition(fits.begin(), fits.end(), [&](const FoundOutcome* one) { return one->kind == outcome; });
    const auto begun = std::chrono::steady_clock::now();
    std::optional<Shown> first;
    for (const FoundOutcome* found : fits) {
      auto shown = show(*found);
      if (!shown) return tl::make_unexpected(shown.error());
      if (meets(question_.file.expect, shown->effect)) return keep(std::move(*shown), image, out);
      if (!first) first = std::move(*shown);
      if (std::chrono::steady_clock::now() - begun < request_.time) continue;
      all_seen = false;
      break;
    }
    return keep(std::move(*first), image, out);
  }

  // An execution, run again in fresh processes: with the gate it keeps to the sequence, and without it ends the same.
  struct Shown {
    ReplayOptions replay;
    ReplayResult result;
    SequenceEffect effect;
  };
  Result<Shown> show(const FoundOutcome& found) {
    Shown out;
    out.replay = replay_of(campaign_, found);
    out.replay.sequence = campaign_.sequence;
    auto gated = run_replay(out.replay);
    if (!gated) return tl::make_unexpected(gated.error());
    out.replay.sequence = {};
    auto result = run_replay(out.replay);
    if (!result) return tl::make_unexpected(result.error());
    if (!gated->record.sequence_fits) return cannot_test(divergence_at(gated->record), question_.name, kNotDecided);
    if (result->record.outcome != found.kind) {
      return cannot_test("an execution that keeps to the sequence did not happen again", question_.name, kNotDecided);
    }
    out.result = std::move(*result);
    Names names(out.result.record, symbolizer_);
    out.effect = effect_of(names, question_.valid);
    return out;
  }

  static constexpr char kNotDecided[] =
      "data without synchronisation may decide an operation: see `ravel run' for data races";
  [[nodiscard]] std::string divergence_at(const ExecutionRecord& record) const {
    const std::vector<SynEvent>& events = question_.file.events;
    if (record.sequence_at >= events.size()) return "prefix divergence: the execution went on behind the last event";
    const SynEvent& event = events[record.sequence_at];
    return fmt::format("prefix divergence at event {} (line {}: {}), which came in an execution before",
                       record.sequence_at + 1, event.line, event_text(event));
  }

  Result<void> keep(Shown shown, const ProgramImage& image, SequenceResult& out) {
    Names names(shown.result.record, symbolizer_);
    Finding finding = describe_outcome(names);
    out.fits = true;
    out.outcome = shown.effect.outcome;
    out.outcome_text = finding.message;
    out.output = shown.effect.output;
    if (shown.effect.found) {
      out.failure_class = kFailureClassNames[static_cast<std::size_t>(*shown.effect.found)];
      out.word = fmt::format("{}", fmt::join(shown.effect.word, " "));
    }
    out.as_expected = meets(question_.file.expect, shown.effect);
    finding.hash = canonical_hash_of(shown.result.record, names);
    finding.message = "sequence " + question_.name;  // each has a plan of its own
    const PlanOrigin origin{image, shown.replay, campaign_.strategy, campaign_.seed, question_.file.stdin_path};
    auto path = save_plan(request_.output, build_plan(origin, finding, names));
    if (path) out.plan = *path;
    return {};
  }

  Result<void> show_stuck(const FoundOutcome& found, SequenceResult& out) {
    ReplayOptions replay = replay_of(campaign_, found);
    replay.sequence = campaign_.sequence;
    auto result = run_replay(replay);
    if (!result) return tl::make_unexpected(result.error());
    const std::vector<SynEvent>& events = question_.file.events;
    out.event = std::min<std::uint32_t>(result->record.sequence_at, static_cast<std::uint32_t>(events.size())) + 1;
    if (out.event <= events.size()) {
      out.line = events[out.event - 1].line;
      out.event_text = event_text(events[out.event - 1]);
    }
    Names names(result->record, symbolizer_);
    out.threads = stopped_threads(names, question_.file);
    return {};
  }

  void compare(SequenceResult& out) const {
    const SynExpectation& expect = question_.file.expect;
    if (out.end == SequenceEnd::kInfeasible && !question_.file.assumed.empty()) {
      out.end = SequenceEnd::kUndecided;
      out.note = "it cannot happen, if what the file assumes is right: " + question_.file.assumed;
    }
    if (out.end == SequenceEnd::kInfeasible && question_.valid != nullptr) {
      if (const auto word = missing_path(question_.file, *question_.valid)) {
        out.failure_class = kMissingPath;
        out.word = fmt::format("{}", fmt::join(*word, " "));
      }
    }
    if (expect.verdict == SynVerdict::kInfeasible) {
      out.expected = expect.at == 0 ? "infeasible" : fmt::format("infeasible at event {}", expect.at);
      out.as_expected = out.end == SequenceEnd::kInfeasible && (expect.at == 0 || expect.at == out.event);
      return;
    }
    if (!expect.verdict && !expects_an_end()) {
      out.as_expected = true;
      return;
    }
    out.expected = expected_text(expect);
    out.as_expected = out.as_expected && out.end == SequenceEnd::kFeasible;
  }

  const SequenceQuestion& question_;
  CampaignRequest request_;
  CampaignOptions campaign_;
  Symbolizer symbolizer_;
};

}  // namespace

Result<SequenceResult> test_sequence(const SequenceQuestion& question, const CampaignRequest& request) {
  return SequenceTester(question, request).run();
}

Result<void> force_sequence(const std::string& path, CampaignOptions& campaign) {
  auto file = read_syn(path);
  if (!file) return tl::make_unexpected(file.error());
  KnownObjects known;
  if (auto learnt = known.learn(replay_of(campaign), *file); !learnt) return learnt;
  auto list = resolve_sequence(*file, known, path);
  if (!list) return tl::make_unexpected(list.error());
  list->rules.open = 1;  // a prefix: the strategy goes on behind it
  campaign.sequence = std::move(*list);
  return {};
}

Result<std::vector<std::string>> program_of(const SynFile& file, const std::string& name,
                                            const std::vector<std::string>& given) {
  if (!given.empty()) return given;
  if (file.program.empty()) {
    return usage_error("the file names no program", name, "ravel syn test FILE -- ./program [arguments]");
  }
  std::vector<std::string> words = {file.program};
  words.insert(words.end(), file.arguments.begin(), file.arguments.end());
  return words;
}

Result<SynFile> read_syn(const std::string& path) {
  std::ifstream file(path, std::ios::binary);
  std::ostringstream text;
  if (!file || !(text << file.rdbuf())) return usage_error("cannot read the sequence", path);
  return parse_syn(text.str(), path);
}

}  // namespace ravel
