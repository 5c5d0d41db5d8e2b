// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Ravel authors
//
// Fuzz target for everything that reads text from outside: plan files, seed strings and policies, or, with
// READER_TRACE, traces, with READER_VALUES, value schedules. What is accepted must survive being written and read
// again.
#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <string_view>

#include "model/text/plan_file.h"
#include "model/text/policy_text.h"
#include "model/text/printable.h"
#include "model/text/seed_string.h"
#include "model/text/trace_text.h"
#include "model/text/value_schedule.h"

namespace {

void check(bool good) {
  if (!good) std::abort();
}

#if !defined(READER_TRACE) && !defined(READER_VALUES)
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
#endif

#ifdef READER_TRACE
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
#endif

#ifdef READER_VALUES
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
#endif

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  const std::string_view text(reinterpret_cast<const char*>(data), size);
#if defined(READER_TRACE)
  read_trace(text);
#elif defined(READER_VALUES)
  read_values(text);
#else
  read_plan(text);
  read_seed(text);
#endif
  return 0;
}
