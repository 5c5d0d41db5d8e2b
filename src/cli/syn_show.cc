// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Ravel authors
//
// `ravel syn show` and `ravel syn convert`: a sequence as a file, in the form that was asked for.
#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <set>

#include "cli/output.h"
#include "cli/syn_command.h"
#include "driver/replay.h"
#include "investigate/plan_source.h"
#include "investigate/sequence_test.h"
#include "model/exit_code.h"
#include "report/formats/space_time.h"
#include "report/sequence.h"
#include "report/sequence_races.h"
#include "report/stamps.h"

namespace ravel {
namespace {

int write_result(const SynArguments& arguments, const std::string& text) {
  auto written = write_output(arguments.output.empty() ? "-" : arguments.output, text);
  return written ? kExitClean : fail(written.error());
}

// Each event of a total order with its stamp as a comment.
std::string with_stamps(const SynFile& file, const std::vector<Stamp>& stamps, const std::string& columns) {
  const std::string whole = write_syn(file);
  const std::string order = "order total\n";
  std::size_t at = whole.find(order) + order.size();
  std::string text = whole.substr(0, at) + columns;
  for (const Stamp& stamp : stamps) {
    const std::size_t end = whole.find('\n', at);
    text += whole.substr(at, end - at) + "  # " + stamp_text(stamp) + "\n";
    at = end + 1;
  }
  return text + whole.substr(at);
}

// "# stamps: main main.1": what the numbers of a stamp are about.
std::string columns_text(const ExecutionRecord& record, const std::vector<SynEvent>& events, StampScheme scheme) {
  std::string text = "# stamps:";
  std::set<std::string> seen;
  if (scheme == StampScheme::kThread) {
    for (std::uint32_t i = 0; i < record.threads.size(); ++i) text += " " + lineage_of(record.threads, ThreadIndex(i));
  } else {
    for (const SynEvent& event : events) {
      if (seen.insert(event.object).second) text += " " + event.object;
    }
  }
  return text + "\n";
}

// Lists by thread or object name an object for every event.
Result<void> check_form(const SynFile& file, const SynArguments& arguments, const std::string& name) {
  if (arguments.stamps && (arguments.form != SynForm::kTotal || arguments.needed)) {
    return usage_error("--stamps needs --order total, without --needed", name);
  }
  const bool all =
      std::all_of(file.events.begin(), file.events.end(), [](const SynEvent& event) { return !event.object.empty(); });
  if (all || arguments.form == SynForm::kTotal) return {};
  return usage_error("events without an object stand in a total order only", name);
}

}  // namespace

namespace {
// The thread alone; lists by thread or object say the object, too.
void simplify(SynFile& file) {
  file.detail = SynDetail::kSimple;
  std::erase_if(file.events, [](const SynEvent& event) { return is_label(event.kind); });
  for (SynEvent& event : file.events) {
    SynEvent simple;
    simple.thread = event.thread;
    if (file.form != SynForm::kTotal) simple.object = event.object;
    event = simple;
  }
  number_events(file.events);
}

// What could have come in the place of each event, below its stamp.
std::vector<std::string> notes_of(const std::vector<SynEvent>& events, const std::vector<Stamp>& stamps,
                                  const SequenceRaces& races) {
  std::vector<std::string> notes;
  std::size_t next = 0;
  for (const SynEvent& event : events) {
    std::string note = notes.size() < stamps.size() ? stamp_text(stamps[notes.size()]) : "";
    while (next < races.events.size() && races.events[next].call.empty()) ++next;  // choices
    if (!is_label(event.kind) && next < races.events.size()) {
      const std::vector<std::string>& others = races.events[next++].races;
      if (!others.empty()) note += fmt::format("{}or {}", note.empty() ? "" : ", ", fmt::join(others, ", "));
    }
    notes.push_back(std::move(note));
  }
  return notes;
}

Result<void> draw(const std::string& path, const PreparedPlan& plan, const std::vector<Stamp>& stamps) {
  auto steps = replay_with_steps(plan.replay);
  if (!steps) return tl::make_unexpected(steps.error());
  Symbolizer symbolizer;
  Names names(steps->result.record, symbolizer);
  SequenceNames objects(names);
  const auto races = sequence_races(names, *steps, plan.replay.plan);  // of long executions there are none
  const std::vector<SynEvent> events = sequence_of(names, objects);
  const std::vector<std::string> notes = notes_of(events, stamps, races ? *races : SequenceRaces{});
  return write_output(path, space_time_svg(events, waiting_in_sequence(names, objects), notes));
}
}  // namespace

int syn_show(const SynArguments& arguments, const Arguments& words, const Arguments& program) {
  if (words.size() != 1) {
    return fail(Error{ErrorKind::kUsage, words.empty() ? "no plan given" : "more than one plan given", "",
                      "ravel syn show PLAN [-- PROGRAM ARGUMENTS...]"});
  }
  auto source = read_plan_source(words[0]);
  if (!source) return fail(source.error());
  auto plan = prepare_plan(std::move(*source), program);
  if (!plan) return fail(plan.error());
  auto result = run_replay(plan->replay);
  if (!result) return fail(result.error());
  if (result->record.outcome == OutcomeKind::kDiverged) {
    return fail(Error{ErrorKind::kCannotTest, "the plan does not fit the program", words[0],
                      "see `ravel replay' for where it differs"});
  }
  Symbolizer symbolizer;
  Names names(result->record, symbolizer);
  SequenceNames objects(names);
  SynFile file;
  file.program = plan->replay.program.path;
  const std::vector<std::string>& argv = plan->replay.program.argv;
  if (!argv.empty()) file.arguments.assign(argv.begin() + 1, argv.end());
  file.stdin_path = plan->replay.program.stdin_path;
  file.events = sequence_of(names, objects);
  file.expect.outcome = result->record.outcome;
  if (auto fits = check_form(file, arguments, words[0]); !fits) return fail(fits.error());
  file.form = arguments.form;
  if (arguments.needed) file.only = keep_needed(file.events, waiting_in_sequence(names, objects));
  std::vector<Stamp> stamps;
  if (arguments.stamps) stamps = stamps_of(result->record, *arguments.stamps);
  if (!arguments.svg.empty()) {
    if (auto drawn = draw(arguments.svg, *plan, stamps); !drawn) return fail(drawn.error());
  }
  const std::string columns =
      arguments.stamps ? columns_text(result->record, file.events, *arguments.stamps) : std::string();
  if (arguments.simple) simplify(file);
  return write_result(arguments, arguments.stamps ? with_stamps(file, stamps, columns) : write_syn(file));
}

int syn_convert(const SynArguments& arguments, const Arguments& words, const Arguments&) {
  if (words.size() != 1) {
    return fail(Error{ErrorKind::kUsage, words.empty() ? "no file given" : "more than one file given", "",
                      "ravel syn convert FILE --order FORM"});
  }
  auto file = read_syn(words[0]);
  if (!file) return fail(file.error());
  if (arguments.needed) {
    return fail(Error{ErrorKind::kUsage, "--needed is an option of `ravel syn show'", words[0],
                      "a file does not say what threads were waiting for"});
  }
  if (auto fits = check_form(*file, arguments, words[0]); !fits) return fail(fits.error());
  file->form = arguments.form;
  if (arguments.stamps || !arguments.svg.empty()) {
    return fail(Error{ErrorKind::kUsage, "--stamps and --svg are options of `ravel syn show'", words[0], ""});
  }
  if (arguments.simple) simplify(*file);
  return write_result(arguments, write_syn(*file));
}

}  // namespace ravel
