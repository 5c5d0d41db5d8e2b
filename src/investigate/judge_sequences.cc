// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Ravel authors
#include "investigate/judge_sequences.h"

#include <fmt/format.h>
#include <sys/stat.h>

#include <algorithm>
#include <cerrno>
#include <cstring>
#include <map>

#include "driver/plan_store.h"
#include "investigate/replay_of.h"
#include "model/text/path_text.h"
#include "wire/findings.h"

namespace ravel {
namespace {

constexpr std::string_view kPass = kFailureClassNames[static_cast<std::size_t>(FailureClass::kPass)];

std::string word_text(const ValidWord& word) {
  return fmt::format("{}", fmt::join(word, " "));
}

// FOLDER/PROGRAM.WHAT-1.syn, -2, ...
class Files {
 public:
  Files(const std::string& folder, const std::string& program) : folder_(folder), program_(base_name(program)) {}

  Result<std::string> write(const std::string& what, const SynFile& file) {
    if (mkdir(folder_.c_str(), 0700) != 0 && errno != EEXIST) {
      return usage_error("cannot make the folder", folder_, std::strerror(errno));
    }
    std::string path = fmt::format("{}/{}.{}-{}.syn", folder_, program_, what, ++numbers_[what]);
    if (auto written = write_file(path, write_syn(file)); !written) return tl::make_unexpected(written.error());
    return path;
  }

 private:
  std::string folder_;
  std::string program_;
  std::map<std::string, unsigned> numbers_;
};

}  // namespace

void put_program(SynFile& file, const CampaignOptions& campaign) {
  file.program = campaign.program.path;
  const std::vector<std::string>& argv = campaign.program.argv;
  file.arguments.assign(argv.begin() + 1, argv.end());
  file.stdin_path = campaign.program.stdin_path;
}

Result<std::size_t> use_sequences(const CampaignOptions& campaign, const std::vector<FoundOutcome>& found,
                                  Symbolizer& symbolizer, const UseSequence& use) {
  for (std::size_t i = 0; i < found.size(); ++i) {
    auto result = run_replay(replay_of(campaign, found[i]));
    if (!result && campaign.deadline.passed()) return found.size() - i;
    if (!result) return tl::make_unexpected(result.error());
    Names names(result->record, symbolizer);
    SequenceNames objects(names);
    SynFile file;
    put_program(file, campaign);
    file.form = SynForm::kObject;
    file.events = sequence_of(names, objects);
    file.expect.outcome = result->record.outcome;
    if (auto used = use(names, objects, file); !used) return tl::make_unexpected(used.error());
  }
  return std::size_t{0};
}

Result<void> judge_sequences(const Validity& valid, const CampaignOptions& campaign, const CampaignResult& result,
                             const std::string& folder, ValidityReport& report) {
  ValidityJudge judge(valid);
  Symbolizer symbolizer;
  Files files(folder, campaign.program.path);
  const auto judge_one = [&](Names& names, SequenceNames& objects, SynFile& file) {
    const ValidityJudge::Judgement judgement = judge.judge(names, objects, file.events);
    JudgedSequence one{std::string(kFailureClassNames[static_cast<std::size_t>(judgement.found)]),
                       word_text(judgement.word),
                       std::string(outcome_name(names.record().outcome)),
                       {}};
    if (one.found != kPass && !file.events.empty()) {
      file.form = SynForm::kTotal;
      auto path = files.write(one.found, file);
      if (!path) return Result<void>(tl::make_unexpected(path.error()));
      one.file = *path;
    }
    report.sequences.push_back(std::move(one));
    return Result<void>();
  };
  auto left_out = use_sequences(campaign, result.outcomes, symbolizer, judge_one);
  if (!left_out) return tl::make_unexpected(left_out.error());
  report.not_judged = *left_out;
  report.all_known = result.complete && result.outcomes.size() < kMaxOutcomes && report.not_judged == 0;
  if (!report.all_known) return {};
  for (ValidityJudge::Missing& one : judge.missing(report.all_known)) {
    MissingSequence missing{word_text(one.word), {}};
    if (one.file) {
      put_program(*one.file, campaign);
      auto path = files.write("missing-path", *one.file);
      if (!path) return tl::make_unexpected(path.error());
      missing.file = *path;
    }
    report.missing.push_back(std::move(missing));
  }
  return {};
}

bool is_violated(const ValidityReport& report) {
  return !report.missing.empty() || std::any_of(report.sequences.begin(), report.sequences.end(),
                                                [](const JudgedSequence& one) { return one.found != kPass; });
}

}  // namespace ravel
