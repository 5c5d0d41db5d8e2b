// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Ravel authors
//
// Sequence files (.syn): an order of synchronisation events as people read and write it (docs/syn-format.md). One
// order can be written in three forms: as a list (total), by thread, by object. Whatever the form, `events` is a list
// in which every event comes behind those that the file orders before it.
//
// parse_syn(write_syn(f)) is f again, for every file that parse_syn yields. Text comes from users: everything is
// bounded, and errors name file, line and column, what was expected and what was found.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "model/outcome.h"
#include "model/sequence.h"
#include "model/text/result.h"

namespace ravel {

inline constexpr unsigned kSynFormatVersion = 1;
inline constexpr std::size_t kMaxSynBytes = std::size_t{16} << 20;
inline constexpr std::size_t kMaxSynName = 512;
inline constexpr std::size_t kMaxSynOutput = std::size_t{32} << 10;  // less than what is kept of an output

enum class SynForm : std::uint8_t { kTotal, kThread, kObject };
inline constexpr std::string_view kSynFormNames[] = {"total", "thread", "object"};

// How much each event of a file says: the thread alone, or thread, operation and object.
enum class SynDetail : std::uint8_t { kSimple, kComplete };
inline constexpr std::string_view kSynDetailNames[] = {"simple", "complete"};

struct SynEvent {
  std::string thread;           // of a message that travels by itself: message_text(); of a select: the port
  std::string object;           // empty: not given
  OpKind kind = OpKind::kNone;  // kNone: not given
  SequenceEnding ending = SequenceEnding::kAny;
  bool lost = false;                // a signal that wakes nobody
  std::string woken;                // ... or this thread; empty: whomever
  std::string port;                 // of a rendezvous or a select; then the object is inbox_name(receiver), or not
                                    // given
  std::string receiver;             // ... the thread that receives; empty: not given
  std::uint32_t thread_number = 0;  // the n-th event of its thread, from 1
  std::uint32_t object_number = 0;  // ... of its object; 0: the object is not given
  std::uint32_t line = 0;           // of the file; 0: made by the tool
};

enum class SynVerdict : std::uint8_t { kFeasible, kInfeasible };

struct SynExpectation {
  std::optional<SynVerdict> verdict;
  std::uint32_t at = 0;  // infeasible at this event, from 1; 0: wherever
  std::optional<OutcomeKind> outcome;
  std::optional<std::string> output;  // what the program prints; a newline at its end does not count
  std::optional<bool> valid;          // by the specification
};

struct SynFile {
  std::string program;  // empty: the command line says
  std::vector<std::string> arguments;
  std::string stdin_path;
  std::vector<std::pair<std::string, std::string>> threads;  // name, lineage
  std::vector<std::pair<std::string, std::string>> objects;  // name, what it stands for
  std::vector<std::string> only;                             // objects in scope; empty: all
  std::string specification;                                 // of valid orders; empty: the command line says
  std::string assumed;  // what the file takes for granted: it proves nothing if it cannot happen
  SynForm form = SynForm::kTotal;
  std::optional<SynDetail> detail;  // none: each event as it is
  bool open = false;                // anything may follow
  std::vector<SynEvent> events;
  SynExpectation expect;
};

Result<SynFile> parse_syn(std::string_view text, const std::string& name);
std::string write_syn(const SynFile& file);
// The `expect' lines of a file.
std::string expectation_text(const SynExpectation& expect);
// One event as it stands in a list.
std::string event_text(const SynEvent& event);

// Numbers events by thread and object, as a list orders them.
void number_events(std::vector<SynEvent>& events);

// What a receiver can be called at, as an object: its calls come one after the other, whatever it waits for.
std::string inbox_name(const std::string& receiver);

// "main.1/2": the second message that a thread sent, of those that travel by themselves. False: it is no such text.
std::string message_text(const std::string& sender, std::uint32_t number);
bool split_message(const std::string& text, std::string& sender, std::uint32_t& number);

// "main.2.1": a thread by its lineage.
bool is_lineage(std::string_view word);

}  // namespace ravel
