// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Ravel authors
//
// `ravel syn test`: files with orders of events, each answered by an execution or by a search.
#include <fmt/format.h>
#include <unistd.h>

#include <algorithm>
#include <nlohmann/json.hpp>

#include "cli/output.h"
#include "cli/syn_command.h"
#include "driver/interrupt.h"
#include "investigate/sequence_test.h"
#include "model/exit_code.h"
#include "model/text/printable.h"
#include "model/text/words.h"

namespace ravel {
namespace {

struct Answer {
  std::string file;
  SequenceResult result;
  std::string error;  // it could not be tested
  int code = kExitClean;
};

std::string verdict_text(const Answer& answer, const Style& style) {
  const SequenceResult& result = answer.result;
  std::string text(kSequenceEndNames[static_cast<std::size_t>(result.end)]);
  if (result.end == SequenceEnd::kFeasible) {
    text += fmt::format(", {}", outcome_name(result.outcome));
    if (is_defect(result.outcome)) text += fmt::format(": {}", printable_line(result.outcome_text));
  } else if (result.line != 0) {
    text += fmt::format(" at event {} (line {}: {})", result.event, result.line, printable_line(result.event_text));
  } else if (result.end == SequenceEnd::kInfeasible) {
    text += fmt::format(" at event {}: the program goes on behind the last event", result.event);
  }
  if (!result.failure_class.empty()) {
    text += fmt::format(", {}: {}", result.failure_class, printable_line(result.word));
  }
  const bool prints = result.fits && result.expected.find("output ") != std::string::npos && !result.as_expected;
  if (prints) text += fmt::format(", output {}", printable_line(quote(result.output)));
  if (result.end == SequenceEnd::kUndecided) text += fmt::format(": {}", printable_line(result.note));
  if (!result.as_expected) return text + style.bad(", expected " + result.expected);
  return text + (result.expected.empty() ? "" : style.good(", as expected"));
}

void print_answer(const Answer& answer, const SynArguments& arguments, std::size_t width) {
  const Style style = style_for(arguments.color, STDOUT_FILENO);
  std::FILE* const out = arguments.json == "-" ? stderr : stdout;
  if (!answer.error.empty()) {
    fmt::print(out, "{:<{}}  could not be tested: {}\n", answer.file, width, printable_line(answer.error));
    return;
  }
  fmt::print(out, "{:<{}}  {}\n", printable_line(answer.file), width, verdict_text(answer, style));
  std::size_t threads = 0;
  for (const StoppedThread& thread : answer.result.threads) threads = std::max(threads, thread.thread.size());
  for (const StoppedThread& thread : answer.result.threads) {
    fmt::print(out, "    {:<{}}  {} at {}{}\n", thread.thread, threads, printable_line(thread.operation),
               printable_line(thread.place), thread.reason.empty() ? "" : ": " + thread.reason);
  }
  if (!answer.result.plan.empty()) fmt::print(out, "    plan: {}\n", printable_line(answer.result.plan));
}

int code_of(const SequenceResult& result) {
  if (result.end == SequenceEnd::kUndecided) return kExitInconclusive;
  return result.as_expected ? kExitClean : kExitDefect;
}

std::string json_of(const std::vector<Answer>& answers, int code) {
  nlohmann::ordered_json tests = nlohmann::ordered_json::array();
  for (const Answer& answer : answers) {
    const SequenceResult& result = answer.result;
    nlohmann::ordered_json test = {{"file", valid_utf8(answer.file)}};
    if (!answer.error.empty()) {
      test["verdict"] = "not-tested";
      test["reason"] = valid_utf8(answer.error);
      tests.push_back(std::move(test));
      continue;
    }
    test["verdict"] = kSequenceEndNames[static_cast<std::size_t>(result.end)];
    test["as_expected"] = result.as_expected;
    test["executions"] = result.executions;
    if (result.event != 0) test["event"] = result.event;
    if (result.line != 0) test["line"] = result.line;
    if (result.end == SequenceEnd::kFeasible) test["outcome"] = outcome_name(result.outcome);
    if (!result.failure_class.empty()) {
      test["class"] = result.failure_class;
      test["events"] = valid_utf8(result.word);
    }
    if (result.end == SequenceEnd::kFeasible) test["output"] = valid_utf8(result.output);
    if (!result.plan.empty()) test["plan"] = valid_utf8(result.plan);
    if (!result.note.empty()) test["note"] = valid_utf8(result.note);
    nlohmann::ordered_json pending = nlohmann::ordered_json::array();
    for (const StoppedThread& thread : result.threads) {
      pending.push_back({{"thread", thread.thread},
                         {"operation", valid_utf8(thread.operation)},
                         {"place", valid_utf8(thread.place)},
                         {"reason", thread.reason}});
    }
    test["pending"] = std::move(pending);
    tests.push_back(std::move(test));
  }
  return nlohmann::ordered_json{{"schema_version", 1}, {"command", "syn test"}, {"exit_code", code}, {"tests", tests}}
             .dump(2) +
         "\n";
}

// What the orders of a file are judged by: the specification of the command line, else the one that the file names.
Result<std::optional<Validity>> specification_of(const SynFile& file, const std::string& name,
                                                 const SynArguments& arguments) {
  const std::string& path = arguments.valid.empty() ? file.specification : arguments.valid;
  if (path.empty()) {
    if (!file.expect.valid) return std::optional<Validity>();
    return usage_error("the file expects valid or invalid and names no specification", name,
                       "`specification \"FILE\"' in the file, or --valid FILE");
  }
  auto read = read_validity(path);
  if (!read) return tl::make_unexpected(read.error());
  return std::optional<Validity>(std::move(*read));
}

// The worst of all: what could not be tested, what is wrong, what is not known.
int worse(int a, int b) {
  constexpr int kOrder[] = {kExitClean, kExitInconclusive, kExitDefect,     kExitCannotTest,
                            kExitUsage, kExitInternal,     kExitInterrupted};
  const auto rank = [&](int code) { return std::find(std::begin(kOrder), std::end(kOrder), code); };
  return rank(a) < rank(b) ? b : a;
}

}  // namespace

int syn_test(const SynArguments& arguments, const Arguments& words, const Arguments& program) {
  if (words.empty()) {
    return fail(Error{ErrorKind::kUsage, "no file given", "", "ravel syn test FILE... [-- PROGRAM ARGUMENTS...]"});
  }
  CampaignRequest request;
  request.strategy = arguments.strategy;
  request.iterations = arguments.iterations;
  request.time = arguments.time;
  if (!arguments.output.empty()) request.output = arguments.output;
  std::vector<SynFile> files;
  std::vector<Arguments> programs;
  std::vector<std::optional<Validity>> specifications;
  std::size_t width = 0;
  for (const std::string& path : words) {  // mistakes of the user first
    auto file = read_syn(path);
    if (!file) return fail(file.error());
    auto started = program_of(*file, path, program);
    if (!started) return fail(started.error());
    auto judged = specification_of(*file, path, arguments);
    if (!judged) return fail(judged.error());
    specifications.push_back(std::move(*judged));
    files.push_back(std::move(*file));
    programs.push_back(std::move(*started));
    width = std::max(width, path.size());
  }
  std::vector<Answer> answers;
  int code = kExitClean;
  for (std::size_t i = 0; i < files.size() && !InterruptGuard::interrupted(); ++i) {
    Answer answer{words[i], {}, {}, kExitClean};
    auto result =
        test_sequence({files[i], words[i], programs[i], specifications[i] ? &*specifications[i] : nullptr}, request);
    if (result) {
      answer.result = std::move(*result);
      answer.code = code_of(answer.result);
    } else {
      answer.error = result.error().line();
      answer.code = exit_code_of(result.error());
      fmt::print(stderr, "ravel: {}\n", printable_line(answer.error));
    }
    code = worse(code, answer.code);
    if (!arguments.quiet) print_answer(answer, arguments, width);
    answers.push_back(std::move(answer));
  }
  if (InterruptGuard::interrupted()) code = kExitInterrupted;
  if (!arguments.json.empty()) {
    if (auto written = write_output(arguments.json, json_of(answers, code)); !written) return fail(written.error());
  }
  return code;
}

}  // namespace ravel
