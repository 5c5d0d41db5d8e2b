// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Ravel authors
//
// Findings that may be due to synchronisation which Ravel does not see, so they are listed separately and do not decide
// the exit code: races between code that a library calls which was not instrumented and synchronises by atomics of its
// own (both sides pass through it), and races and endless loops beside inline assembly that was left alone.
#pragma once

#include <map>
#include <string>
#include <vector>

#include "report/names.h"
#include "symbols/object_facts.h"

namespace ravel {

class Doubts {
 public:
  // Why the race is doubtful; empty: it is not.
  std::string about_race(Names& names, const RaceRecord& race);
  // The same of the way an execution ended.
  std::string about_outcome(Names& names);

 private:
  const ObjectFacts& facts_of(const std::string& path);
  // The libraries with unseen atomics that called the code of an event.
  std::vector<std::string> unseen_callers(Names& names, const Event& event);
  // An instruction that was left alone in one of the files of an event.
  std::string uncontrolled_near(Names& names, const Event& event);

  std::map<std::string, ObjectFacts> facts_;
};

}  // namespace ravel
