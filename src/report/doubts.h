// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Ravel authors
//
// Findings that may be due to synchronisation which Ravel does not see, so they are listed separately and do not decide
// the exit code: races whose both sides pass through a library that was not instrumented and synchronises by atomics of
// its own, and races and endless loops beside inline assembly that was left alone. A side passes through a library that
// called it, or of which a function on its stack calls a lock, a wait or the like (as far as the names of
// what the library offers show). Where the library called the other side or allocated the memory, any call into it
// counts.
#pragma once

#include <cstdint>
#include <map>
#include <memory>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include "report/names.h"
#include "symbols/code_symbols.h"
#include "symbols/object_facts.h"

namespace ravel {

// A thread was blocked in the system, in a way that Ravel does not control, while another may have been able to run. It
// could not run, since all threads of an execution share one of the system's: nobody knows whether it would have
// helped.
bool is_undecided_hang(const ExecutionRecord& record);

class Doubts {
 public:
  // Why the race is doubtful; empty: it is not.
  std::string about_race(Names& names, const RaceRecord& race);
  // The same of the way an execution ended.
  std::string about_outcome(Names& names);

 private:
  const ObjectFacts& facts_of(const std::string& path);
  // The libraries with unseen atomics that an event has to do with.
  struct Unseen {
    std::set<std::string> callers;   // that called its code
    std::set<std::string> called;    // that functions on its stack call
    std::set<std::string> lock_for;  // of these: to synchronise, by the name of the function
  };
  Unseen unseen_around(Names& names, const Event& event);
  // The library allocated the memory that the event is about.
  static bool allocated_by(Names& names, const Event& event, const std::string& path);
  [[nodiscard]] bool is_unseen(const std::string& path);
  void add_called(Names& names, LocationId place, Unseen& out);
  // What the function around an address of a file calls in other files.
  const std::vector<std::string>& callees(const std::string& path, std::uint64_t address);
  // An instruction that was left alone in one of the files of an event.
  std::string uncontrolled_near(Names& names, const Event& event);

  std::map<std::string, ObjectFacts> facts_;
  std::map<std::string, std::unique_ptr<CodeSymbols>> code_;
  std::map<std::pair<std::string, std::uint64_t>, std::vector<std::string>> callees_;  // by file and function
};

}  // namespace ravel
