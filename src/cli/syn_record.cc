// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Ravel authors
//
// `ravel syn record`: every sequence that a search meets becomes a file, with how it ended.
#include <fmt/format.h>
#include <sys/stat.h>

#include <algorithm>
#include <cerrno>
#include <cstring>
#include <set>

#include "cli/progress_line.h"
#include "cli/syn_command.h"
#include "driver/plan_store.h"
#include "driver/replay.h"
#include "driver/supervise.h"
#include "investigate/campaign_setup.h"
#include "model/exit_code.h"
#include "model/text/printable.h"
#include "report/sequence.h"

namespace ravel {
namespace {

class Recorder {
 public:
  Recorder(const SynArguments& arguments, const CampaignOptions& campaign)
      : arguments_(arguments), campaign_(campaign) {}

  Result<void> add(const FoundOutcome& found) {
    ReplayOptions replay;
    replay.program = campaign_.program;
    replay.plan = found.plan;
    replay.prefix = found.schedule;
    replay.racy = found.racy;
    replay.hang_ms = campaign_.hang_ms;
    replay.busy_ms = campaign_.busy_ms;
    auto result = run_replay(replay);
    if (!result) return tl::make_unexpected(result.error());
    Names names(result->record, symbolizer_);
    SequenceNames objects(names);
    SynFile file;
    file.program = campaign_.program.path;
    const std::vector<std::string>& argv = campaign_.program.argv;
    file.arguments.assign(argv.begin() + 1, argv.end());
    file.stdin_path = campaign_.program.stdin_path;
    file.form = SynForm::kObject;
    file.events = sequence_of(names, objects);
    file.expect.outcome = result->record.outcome;
    if (file.events.empty() || !known_.insert(write_syn(by_object(file))).second) return {};
    file.form = arguments_.form;
    const std::string path = fmt::format("{}/{}.syn", arguments_.output, known_.size());
    return write_file(path, write_syn(file));
  }
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
  std::set<std::string> known_;
  Symbolizer symbolizer_;
};

}  // namespace

int syn_record(const SynArguments& arguments, const Arguments& words, const Arguments& program) {
  if (program.empty() || !words.empty()) {
    return fail(Error{ErrorKind::kUsage, "no program given", "", "ravel syn record --output DIR -- PROGRAM"});
  }
  if (arguments.output.empty()) return fail(Error{ErrorKind::kUsage, "--output is needed", "", "the folder of files"});
  CampaignRequest request;
  request.strategy = arguments.strategy.empty() ? "dpor" : arguments.strategy;
  request.iterations = arguments.iterations;
  request.time = arguments.time;
  request.keep_going = true;
  auto setup = check_options(request);
  if (!setup) return fail(setup.error());
  auto image = testable_program(program[0]);
  if (!image) return fail(image.error());
  auto input = StandardInput::open("");
  if (!input) return fail(input.error());
  CampaignOptions campaign = campaign_options(request, program, *image, *input);
  campaign.outcomes = kListTraces;
  ProgressLine progress(!arguments.quiet);
  auto result = supervise_campaign(campaign, [&](const CampaignResult& so_far) { progress.show(so_far); });
  progress.clear();
  if (!result) return fail(result.error());
  if (mkdir(arguments.output.c_str(), 0777) != 0 && errno != EEXIST) {
    return fail(Error{ErrorKind::kUsage, "cannot make the folder", arguments.output, std::strerror(errno)});
  }
  Recorder recorder(arguments, campaign);
  for (const FoundOutcome& found : result->outcomes) {
    if (auto added = recorder.add(found); !added) return fail(added.error());
  }
  if (!arguments.quiet) {
    fmt::print("{} sequence{} of {} executions in {}{}\n", recorder.count(), recorder.count() == 1 ? "" : "s",
               result->executions, printable_line(arguments.output), result->complete ? " (complete)" : "");
  }
  return result->interrupted ? kExitInterrupted : kExitClean;
}

}  // namespace ravel
