// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Ravel authors
//
// Fuzz target for everything that reads text from outside. RAVEL_READER says which: `plan' (plan files, seed strings
// and policies), `trace', `values', `syn', `valid' (specifications of orders), `facts', `warnings' (of other tools, in
// each format), `sequence' (of places). What is accepted must survive being written and read again; what is refused has
// a reason.
#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <string>
#include <string_view>

#include "model/text/plan_file.h"
#include "model/text/policy_text.h"
#include "model/text/printable.h"
#include "model/text/seed_string.h"
#include "model/text/syn_text.h"
#include "model/text/trace_text.h"
#include "model/text/valid_text.h"
#include "model/text/value_schedule.h"
#include "statics/facts_file.h"
#include "statics/sequence.h"
#include "statics/warnings/foreign_warning.h"

namespace {

void check(bool good) {
  if (!good) std::abort();
}

void read_plan(std::string_view text) {
  const auto plan = ravel::parse_plan(text, "fuzz");
  if (!plan) {
    check(!plan.error().line().empty());
    return;
  }
  const std::string written = ravel::write_plan(*plan);
  const auto again = ravel::parse_plan(written, "again");
  check(again.has_value() && ravel::write_plan(*again) == written);
}

void read_seed(std::string_view text) {
  const auto seed = ravel::parse_seed_string(text);
  if (seed) check(ravel::parse_seed_string(ravel::write_seed_string(*seed)).has_value());
  (void)ravel::parse_policy(text);
  for (const char c : ravel::printable_line(text)) check(static_cast<unsigned char>(c) >= 0x20 && c != 0x7f);
}

void read_plan_and_seed(std::string_view text) {
  read_plan(text);
  read_seed(text);
}

void read_trace(std::string_view text) {
  ravel::TraceLimits limits;
  limits.events = 1000;
  const auto trace = ravel::parse_trace(text, limits);
  if (!trace) {
    check(!trace.error().text().empty());
    return;
  }
  check(ravel::valid(*trace));
  const std::string written = ravel::print_trace(*trace);
  const auto again = ravel::parse_trace(written);
  check(again.has_value() && ravel::print_trace(*again) == written);
}

void read_values(std::string_view text) {
  const auto file = ravel::parse_values(text, "fuzz");
  if (!file) {
    check(!file.error().line().empty());
    return;
  }
  const std::string written = ravel::write_values(*file);
  const auto again = ravel::parse_values(written, "again");
  check(again.has_value() && ravel::write_values(*again) == written);
}

void read_syn(std::string_view text) {
  const auto file = ravel::parse_syn(text, "fuzz");
  if (!file) {
    check(!file.error().line().empty());
    return;
  }
  const std::string written = ravel::write_syn(*file);
  const auto again = ravel::parse_syn(written, "again");
  check(again.has_value() && ravel::write_syn(*again) == written);
}

// What it allows of a few short orders is whatever it is; it answers.
void read_valid(std::string_view text) {
  const auto valid = ravel::Validity::parse(text, "fuzz");
  if (!valid) {
    check(!valid.error().line().empty());
    return;
  }
  ravel::ValidWord word;
  for (const ravel::Validity::Name& name : valid->names()) {
    if (word.size() < 4) word.push_back(name.name);
  }
  (void)valid->allows(word);
}

void read_facts(std::string_view text) {
  const auto facts = ravel::facts_from_text(text, "fuzz");
  if (!facts) {
    check(!facts.error().line().empty());
    return;
  }
  // Every number is an index into what is there.
  for (const ravel::SitePair& pair : facts->pairs) {
    check(pair.first < facts->sites.size() && pair.second < facts->sites.size());
  }
  for (const ravel::Site& site : facts->sites) check(site.thread_class < facts->classes.size());
  for (const ravel::StaticWarning& warning : facts->warnings) {
    for (const unsigned site : warning.sites) check(site < facts->sites.size());
  }
  const std::string written = ravel::facts_to_text(*facts);
  const auto again = ravel::facts_from_text(written, "again");
  check(again.has_value() && ravel::facts_to_text(*again) == written);
}

void read_warnings(std::string_view text) {
  for (const auto reader : {ravel::read_any_warnings, ravel::read_sarif, ravel::read_valgrind_xml, ravel::read_tsan_log,
                            ravel::read_line_list}) {
    const ravel::ForeignWarnings found = reader(text);
    check(found.warnings.size() <= ravel::kMostForeignWarnings);
    for (const ravel::ForeignWarning& warning : found.warnings) {
      check(warning.stacks.size() <= 8 && warning.flow.size() <= 64);
      for (const auto& stack : warning.stacks) check(stack.size() <= ravel::kMostForeignFrames);
    }
  }
}

void read_sequence(std::string_view text) {
  const auto sequence = ravel::parse_sequence(std::string(text));
  if (!sequence) {
    check(!sequence.error().line().empty());
    return;
  }
  check(!sequence->empty() && sequence->size() <= ravel::kMaxGoalEntries);
  const auto again = ravel::parse_sequence(ravel::sequence_text(*sequence));
  check(again.has_value() && ravel::sequence_text(*again) == ravel::sequence_text(*sequence));
}

struct Reader {
  std::string_view name;
  void (*read)(std::string_view text);
};
constexpr Reader kReaders[] = {
    {"plan", read_plan_and_seed}, {"trace", read_trace}, {"values", read_values},     {"syn", read_syn},
    {"valid", read_valid},        {"facts", read_facts}, {"warnings", read_warnings}, {"sequence", read_sequence}};

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  static const Reader* const kReader = [] {
    const char* wanted = std::getenv("RAVEL_READER");
    for (const Reader& one : kReaders) {
      if (wanted != nullptr && one.name == wanted) return &one;
    }
    std::abort();
  }();
  kReader->read({reinterpret_cast<const char*>(data), size});
  return 0;
}
