// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Ravel authors
#include "investigate/validity.h"

#include <algorithm>
#include <fstream>
#include <iterator>

#include "model/guide.h"

namespace ravel {
namespace {

bool is_result_right(const Validity& valid, const ExecutionRecord& record) {
  if (is_defect(record.outcome)) return false;
  return std::all_of(valid.results().begin(), valid.results().end(), [&](const auto& wanted) {
    return std::any_of(record.observations.begin(), record.observations.end(), [&](const Observation& seen) {
      return seen.name == wanted.first && seen.value == wanted.second;
    });
  });
}

bool is_same_deed(const SynEvent& a, const SynEvent& b) {
  return a.thread == b.thread && a.receiver == b.receiver;
}

}  // namespace

Result<Validity> read_validity(const std::string& path) {
  std::ifstream file(path, std::ios::binary);
  if (!file) return usage_error("cannot read the file", path);
  const std::string text{std::istreambuf_iterator<char>(file), std::istreambuf_iterator<char>()};
  return Validity::parse(text, path);
}

ValidityJudge::Judgement ValidityJudge::judge(Names& names, SequenceNames& objects,
                                              const std::vector<SynEvent>& events) {
  Judgement out;
  std::size_t number = 0;  // of `events'
  for (const Event& event : names.record().events) {
    if (is_listed_event(event.kind)) ++number;
    for (const Validity::Name& name : valid_.names()) {
      if (name.kind != event.kind) continue;
      const std::string port = objects.port_of(event);
      const bool label = is_label(event.kind);
      if (label && event.value != mark_number(name.object.data(), name.object.size())) continue;
      if (!label && (port.empty() ? objects.object_of(event) : port) != name.object) continue;
      out.word.push_back(name.name);
      std::vector<SynEvent>& doers = doers_[name.name];
      const SynEvent& done = events[number - 1];
      if (std::none_of(doers.begin(), doers.end(), [&](const SynEvent& one) { return is_same_deed(one, done); })) {
        doers.push_back(done);
      }
    }
  }
  const bool right = is_result_right(valid_, names.record());
  if (valid_.allows(out.word)) {
    out.found = right ? FailureClass::kPass : FailureClass::kComputation;
  } else {
    out.found = right ? FailureClass::kCoincidental : FailureClass::kSynchronization;
  }
  seen_.insert(out.word);
  return out;
}

std::optional<SynFile> ValidityJudge::file_for(const ValidWord& word) const {
  SynFile file;
  std::set<std::string> objects;
  for (const std::string& name : word) {
    const auto doers = doers_.find(name);
    if (doers == doers_.end() || doers->second.size() != 1) return std::nullopt;
    const SynEvent& event = doers->second[0];
    objects.insert(event.port.empty() ? event.object : event.port);
    file.events.push_back(event);
    file.events.back().ending = SequenceEnding::kAny;
    file.events.back().lost = false;
    file.events.back().woken.clear();
  }
  file.only.assign(objects.begin(), objects.end());
  file.form = SynForm::kTotal;
  file.expect.verdict = SynVerdict::kFeasible;
  number_events(file.events);
  return file;
}

std::vector<ValidityJudge::Missing> ValidityJudge::missing(bool& all) const {
  std::set<ValidWord> words;  // each set of events once
  std::set<ValidWord> kinds;
  for (const ValidWord& word : seen_) {
    ValidWord sorted = word;
    std::sort(sorted.begin(), sorted.end());
    if (!kinds.insert(sorted).second) continue;
    for (ValidWord& other : valid_.orders_of(word, all)) {
      if (seen_.count(other) == 0) words.insert(std::move(other));
    }
  }
  std::vector<Missing> out;
  for (const ValidWord& word : words) out.push_back({word, file_for(word)});
  return out;
}

}  // namespace ravel
