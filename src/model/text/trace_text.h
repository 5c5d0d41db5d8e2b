// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Ravel authors
//
// The text form of a trace: what a person can read and write, and what the modules that consume traces are tested on.
// One event a line; the words for operations are those of kOperationTable. docs/trace-format.md describes it.
//
// parse(print(t)) == t for every trace whose numbers are valid (see valid()). The text comes from users: everything is
// bounded, and errors say where and what was expected.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <tl/expected.hpp>
#include <vector>

#include "model/event.h"
#include "model/tables.h"

namespace ravel {

// Locations of the text form that have a name ("bank.cpp:12") are numbered from here: module slot 15 is theirs.
inline constexpr LocationId kNamedLocation = 0xf0000000u;

struct TraceLimits {
  std::size_t bytes = std::size_t{1} << 30;
  std::size_t events = std::size_t{1} << 24;
  std::uint32_t threads = 1u << 18;
  std::uint32_t objects = 1u << 20;
  std::uint32_t locations = 1u << 20;
  std::size_t line = 4096;
  std::size_t name = 200;
};

struct Trace {
  std::vector<Event> events;
  std::vector<ThreadRecord> threads;  // [0] is main
  std::vector<ObjectRecord> objects;  // [0] is "unknown"
  // Names for the text form, in step with the tables above; locations[i] belongs to kNamedLocation + i.
  std::vector<std::string> thread_names;
  std::vector<std::string> object_names;
  std::vector<std::string> locations;
};

struct TraceTextError {
  std::size_t line = 0;    // from 1
  std::size_t column = 0;  // from 1
  std::string message;     // "expected ..., found ..."
  [[nodiscard]] std::string text() const;
};

[[nodiscard]] Trace empty_trace();
[[nodiscard]] tl::expected<Trace, TraceTextError> parse_trace(std::string_view text, const TraceLimits& limits = {});
// Missing or unfit names are replaced by T1, T2, ..., o1, o2, ...
[[nodiscard]] std::string print_trace(const Trace& trace);
// One event as a line without the end of line, for messages.
[[nodiscard]] std::string print_event(const Trace& trace, const Event& event);

// Whether the numbers in the events fit the tables; print_trace needs that.
[[nodiscard]] bool valid(const Trace& trace);
// A word that can name a thread or an object.
[[nodiscard]] bool is_trace_name(std::string_view word);

}  // namespace ravel
