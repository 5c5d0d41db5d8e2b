// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Ravel authors
//
// `ravel syn record`: every sequence that a search meets becomes a file, with how it ended.
#include <fmt/format.h>
#include <sys/stat.h>

#include <algorithm>
#include <cerrno>
#include <chrono>
#include <cstring>
#include <nlohmann/json.hpp>
#include <optional>
#include <set>

#include "cli/output.h"
#include "cli/progress_line.h"
#include "cli/syn_command.h"
#include "driver/plan_store.h"
#include "driver/supervise.h"
#include "investigate/campaign_setup.h"
#include "investigate/judge_sequences.h"
#include "investigate/name_divergence.h"
#include "model/exit_code.h"
#include "model/text/printable.h"
#include "wire/findings.h"

namespace ravel {
namespace {

struct Recorded {
  std::string path;
  ValidityJudge::Judgement judgement;
};

class Recorder {
 public:
  // `judge' may be null.
  Recorder(const SynArguments& arguments, const CampaignOptions& campaign, ValidityJudge* judge)
      : arguments_(arguments), campaign_(campaign), judge_(judge) {}

  // How many were left out because the time ended.
  Result<std::size_t> add(const std::vector<FoundOutcome>& found) {
    return use_sequences(campaign_, found, symbolizer_, [&](Names& names, SequenceNames& objects, SynFile& file) {
      if (file.events.empty() || !known_.insert(write_syn(by_object(file))).second) return Result<void>();
      Recorded recorded;
      recorded.path = fmt::format("{}/{}.syn", arguments_.output, known_.size());
      if (judge_ != nullptr) recorded.judgement = judge_->judge(names, objects, file.events);
      recorded_.push_back(recorded);
      file.form = arguments_.form;
      return write_file(recorded.path, write_syn(file));
    });
  }
  void fill_in_program(SynFile& file) const { put_program(file, campaign_); }
  [[nodiscard]] const std::vector<Recorded>& recorded() const { return recorded_; }
  [[nodiscard]] std::size_t count() const { return known_.size(); }

 private:
  // Equal for the same order of each object: lists in the order of their names, not of their first events.
  static SynFile by_object(SynFile file) {
    std::stable_sort(file.events.begin(), file.events.end(),
                     [](const SynEvent& a, const SynEvent& b) { return a.object < b.object; });
    return file;
  }

  const SynArguments& arguments_;
  const CampaignOptions& campaign_;
  ValidityJudge* judge_;
  std::vector<Recorded> recorded_;
  std::set<std::string> known_;
  Symbolizer symbolizer_;
};

// What the campaigns of a recording came to.
struct Explored {
  std::uint64_t executions = 0;
  std::size_t left_out = 0;  // sequences of the last one that there was no time to write
  bool complete = false;
  bool interrupted = false;
  bool steady = false;
  std::string divergence;  // why nothing can be said of the program's orders; empty: nothing in the way
};

Result<void> record_campaign(const CampaignOptions& campaign, Recorder& recorder, bool quiet, Explored& explored) {
  ProgressLine progress(!quiet);
  auto result = supervise_campaign(campaign, [&](const CampaignResult& so_far) { progress.show(so_far); });
  progress.clear();
  if (!result) return tl::make_unexpected(result.error());
  auto left_out = recorder.add(result->outcomes);
  if (!left_out) return tl::make_unexpected(left_out.error());
  explored.left_out = *left_out;
  explored.executions += result->executions;
  explored.complete = result->complete && result->outcomes.size() < kMaxOutcomes && explored.left_out == 0;
  explored.interrupted = result->interrupted;
  if (result->divergence.found()) explored.divergence = divergence_text(result->divergence, campaign, {});
  return {};
}

// One campaign after the other, each with a seed of its own, until one of them shows nothing new or the time is over.
Result<void> record_until_steady(const SynArguments& arguments, CampaignOptions& campaign, Recorder& recorder,
                                 Explored& explored) {
  const auto begun = std::chrono::steady_clock::now();
  for (;; ++campaign.seed) {
    const std::size_t known = recorder.count();
    const auto used = std::chrono::duration_cast<std::chrono::milliseconds>(std::chrono::steady_clock::now() - begun);
    if (used >= arguments.time) return {};
    campaign.budget.time = arguments.time - used;
    const std::uint64_t before = explored.executions;
    if (auto ran = record_campaign(campaign, recorder, arguments.quiet, explored); !ran) return ran;
    if (explored.interrupted || explored.left_out != 0) return {};
    explored.steady = recorder.count() == known && explored.executions - before >= arguments.until_steady;
    if (explored.steady) return {};
  }
}

std::string word_text(const ValidWord& word) {
  return fmt::format("{}", fmt::join(word, " "));
}

// What the specification says about the sequences; the exit code.
int report_validity(const SynArguments& arguments, const Recorder& recorder, const ValidityJudge& judge,
                    bool complete) {
  nlohmann::ordered_json sequences = nlohmann::ordered_json::array();
  nlohmann::ordered_json missing = nlohmann::ordered_json::array();
  std::string text;
  bool wrong = false;
  for (const Recorded& one : recorder.recorded()) {
    const std::string_view found = kFailureClassNames[static_cast<std::size_t>(one.judgement.found)];
    const std::string word = word_text(one.judgement.word);
    sequences.push_back({{"file", valid_utf8(one.path)}, {"class", found}, {"events", valid_utf8(word)}});
    if (one.judgement.found == FailureClass::kPass) continue;
    wrong = true;
    text += fmt::format("{}  {}: {}\n", one.path, found, word);
  }
  bool all = complete;
  if (complete) {
    for (const ValidityJudge::Missing& one : judge.missing(all)) {
      wrong = true;
      std::string path;
      if (one.file) {
        SynFile file = *one.file;
        recorder.fill_in_program(file);
        path = fmt::format("{}/missing-{}.syn", arguments.output, missing.size() + 1);
        if (auto written = write_file(path, write_syn(file)); !written) return fail(written.error());
      }
      missing.push_back({{"file", valid_utf8(path)}, {"events", valid_utf8(word_text(one.word))}});
      text += fmt::format("{}missing-path: {}\n", path.empty() ? "" : path + "  ", word_text(one.word));
    }
  }
  if (!all) text += "missing paths are not known: the search was not complete, or there are too many valid orders\n";
  if (!wrong && all) text += "all sequences are valid and end as they should; every valid order was seen\n";
  const int code = wrong ? kExitDefect : all ? kExitClean : kExitInconclusive;
  if (!arguments.quiet) fmt::print("{}", printable_text(text));
  if (arguments.json.empty()) return code;
  const nlohmann::ordered_json report = {{"schema_version", 1},  {"command", "syn record"}, {"exit_code", code},
                                         {"complete", complete}, {"sequences", sequences},  {"missing", missing}};
  if (auto written = write_output(arguments.json, report.dump(2) + "\n"); !written) return fail(written.error());
  return code;
}

}  // namespace

int syn_record(const SynArguments& arguments, const Arguments& words, const Arguments& program) {
  if (program.empty() || !words.empty()) {
    return fail(Error{ErrorKind::kUsage, "no program given", "", "ravel syn record --output DIR -- PROGRAM"});
  }
  if (arguments.output.empty()) return fail(Error{ErrorKind::kUsage, "--output is needed", "", "the folder of files"});
  std::optional<Validity> valid;
  if (!arguments.valid.empty()) {
    auto read = read_validity(arguments.valid);
    if (!read) return fail(read.error());
    valid = std::move(*read);
  }
  CampaignRequest request;
  request.strategy = arguments.strategy.empty() ? "dpor" : arguments.strategy;
  const bool steady = arguments.until_steady != 0;
  request.iterations = steady ? std::optional(arguments.until_steady) : arguments.iterations;
  request.time = arguments.time;
  request.keep_going = true;
  auto setup = check_options(request);
  if (!setup) return fail(setup.error());
  if (steady && setup->strategy->promises()) {
    return fail(Error{ErrorKind::kUsage, "--until-steady needs a strategy that samples", request.strategy,
                      "--strategy random or pct; the others end when they are complete"});
  }
  auto image = testable_program(program[0]);
  if (!image) return fail(image.error());
  auto input = StandardInput::open("");
  if (!input) return fail(input.error());
  CampaignOptions campaign = campaign_options(request, program, *image, *input);
  campaign.outcomes = kListSequences;
  if (mkdir(arguments.output.c_str(), 0777) != 0 && errno != EEXIST) {
    return fail(Error{ErrorKind::kUsage, "cannot make the folder", arguments.output, std::strerror(errno)});
  }
  std::optional<ValidityJudge> judge;
  if (valid) judge.emplace(*valid);
  Recorder recorder(arguments, campaign, judge ? &*judge : nullptr);
  Explored explored;
  auto ran = steady ? record_until_steady(arguments, campaign, recorder, explored)
                    : record_campaign(campaign, recorder, arguments.quiet, explored);
  if (!ran) return fail(ran.error());
  if (!arguments.quiet) {
    fmt::print("{} sequence{} of {} executions in {}{}\n", recorder.count(), recorder.count() == 1 ? "" : "s",
               explored.executions, printable_line(arguments.output),
               explored.complete ? " (complete)"
               : explored.steady ? " (steady)"
                                 : "");
  }
  if (explored.left_out != 0) {
    fmt::print(stderr, "ravel: the time ended before {} more {} written; raise --time\n", explored.left_out,
               explored.left_out == 1 ? "sequence was" : "sequences were");
  }
  if (explored.interrupted) return kExitInterrupted;
  if (!explored.divergence.empty()) return fail(Error{ErrorKind::kCannotTest, explored.divergence, "", ""});
  return judge ? report_validity(arguments, recorder, *judge, explored.complete) : kExitClean;
}

}  // namespace ravel
