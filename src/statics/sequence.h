// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Ravel authors
//
// A sequence of places that an execution is to pass in this order, as users write it (`ravel run --goal') and as
// warnings become it (warning_sequences.h). A place is one of
//
//   queue.cpp:41  queue.cpp:41:7   what the line does last, or what stands at the column; the file by the end of its
//   path queue.cpp:41#2                 the second operation of the line Queue::pop+3                   the third line
//   behind the one where the function begins full                           ravel::mark("full")
//
// with @A behind it to tie it to a thread: places with one letter are one thread's, those with two letters two
// threads'.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "model/guide.h"
#include "model/text/result.h"
#include "statics/code_place.h"

namespace ravel {

struct SequencePlace {
  std::string text;      // as it is shown
  CodePlace place;       // line 0: one of the next two
  std::string function;  // with `place.line` lines behind its beginning
  std::string mark;
  unsigned ordinal = 0;  // 0: the last operation of the line
  unsigned role = 0;     // 0: anybody's
  std::uint32_t operations = kGoalAny;
  std::vector<CodePlace> inside;  // the lines of library code that the operation is, if there are any
};
using LocationSequence = std::vector<SequencePlace>;

// "a.cpp:3,a.cpp:7#2".
Result<LocationSequence> parse_sequence(const std::string& text);
// One or more places on a line; what is behind ` #' or on a line that begins with `#' is a comment.
Result<LocationSequence> read_sequence(const std::string& file);
std::string sequence_text(const LocationSequence& sequence);

}  // namespace ravel
