// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Ravel authors
#include "investigate/sequence_expectation.h"

#include "investigate/sequence_names.h"
#include "model/text/words.h"

namespace ravel {
namespace {

// A newline at the end does not count: people leave it out.
std::string_view without_last_newline(std::string_view text) {
  if (!text.empty() && text.back() == '\n') text.remove_suffix(1);
  return text;
}

}  // namespace

SequenceEffect effect_of(Names& names, const Validity* valid) {
  SequenceEffect effect;
  effect.outcome = names.record().outcome;
  effect.output = names.record().stdout_text;
  if (valid == nullptr) return effect;
  SequenceNames objects(names);
  ValidityJudge judge(*valid);
  ValidityJudge::Judgement judgement = judge.judge(names, objects, sequence_of(names, objects));
  effect.found = judgement.found;
  effect.word = std::move(judgement.word);
  return effect;
}

bool is_valid_order(FailureClass found) {
  return found == FailureClass::kPass || found == FailureClass::kComputation;
}

bool meets(const SynExpectation& expect, const SequenceEffect& effect) {
  if (expect.outcome && *expect.outcome != effect.outcome) return false;
  if (expect.output && without_last_newline(*expect.output) != without_last_newline(effect.output)) return false;
  return !expect.valid || (effect.found && is_valid_order(*effect.found) == *expect.valid);
}

std::string expected_text(const SynExpectation& expect) {
  std::string text = "feasible";
  if (expect.outcome) text += ", " + std::string(outcome_name(*expect.outcome));
  if (expect.output) text += ", output " + quote(*expect.output);
  if (expect.valid) text += *expect.valid ? ", valid" : ", invalid";
  return text;
}

bool looks_closer(const SynExpectation& expect) {
  return expect.output.has_value() || expect.valid.has_value();
}

std::optional<ValidWord> missing_path(const SynFile& file, const Validity& valid) {
  if (file.open) return std::nullopt;
  ValidWord word;
  for (const SynEvent& event : file.events) {
    const std::string object = object_meant(file, event.port.empty() ? event.object : event.port);
    for (const Validity::Name& name : valid.names()) {
      if (name.kind == event.kind && name.object == object) word.push_back(name.name);
    }
  }
  if (!valid.allows(word)) return std::nullopt;
  return word;
}

}  // namespace ravel
