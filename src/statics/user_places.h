// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Ravel authors
//
// Every call in the user's own code of a program's file, by return address: where an operation, or the library code
// that makes it, is called from. An operation at run time belongs to the innermost of these on its call stack.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "model/event.h"
#include "statics/code_place.h"
#include "statics/facts.h"

namespace ravel {

struct UserPlace {
  LocationId location = 0;
  CodePlace place;                // of the innermost frame that is the user's
  std::vector<CodePlace> around;  // of the calls that were inlined around it, innermost first
  std::string function;           // ... its function
  unsigned start_line = 0;        // where that begins
  std::uint64_t symbol = 0;       // the function it was compiled into, by its start
  std::string callee;             // as linked; empty: unknown
  std::uint32_t operations = 0;   // GoalOperations that the call itself can be; 0: none
  bool leaves_file = false;
  bool in_destructor = false;  // of a library object that goes out of scope, or a call of one
};

// The GoalOperations bit of a site.
std::uint32_t goal_operation(SiteKind kind);

// By location.
std::vector<UserPlace> find_user_places(const std::string& program);

}  // namespace ravel
