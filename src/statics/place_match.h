// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Ravel authors
//
// Facts speak of source places, executions of code locations. The match lists every call-out of the program's file with
// its inlined frames and finds the sites it may be, whichever compiler built the program:
//
//   a frame is the user's   sites at that line, of that kind; with the same column if there are such
//   none is                 (the body of a template that all callers share) sites whose operation stands at that line
//   of
//                           the library
//   no site there           g++ gives an implicit constructor the line of its struct, and a statement over several
//   lines
//                           its last one, clang its first: the nearest line of the same function's sites, within reach;
//                           of another function it would be another operation
//
// Columns and kinds are preferences: compilers differ in both. Paths are compared by their last two names.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "model/event.h"
#include "statics/facts.h"

namespace ravel {

// A call-out that is some operation of the sources.
struct MatchedPlace {
  LocationId location = 0;
  std::vector<SiteKind> kinds;
  CodePlace place;              // of the innermost frame that is the user's, else of the innermost
  std::string function;         // of that frame, without scope and parameters; empty: not known
  bool in_library = false;      // no frame is the user's
  std::vector<unsigned> sites;  // of Facts::sites; empty: none fits
};

struct PlaceMatch {
  std::vector<MatchedPlace> places;  // by location
  unsigned known = 0;                // places of the user's code that facts have a site for: file, line and kind
  unsigned found = 0;                // ... and a call-out
};

PlaceMatch match_places(const Facts& facts, const std::string& program);

}  // namespace ravel
