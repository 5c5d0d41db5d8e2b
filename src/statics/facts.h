// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Ravel authors
//
// What static analysis knows of a program, by source places (docs/facts-format.md). C++17: both sides of LLVM's fence
// use it.
//
// Meaning: a conflict of two threads that can happen, in code that was analysed, is one of `pairs`. A pair need not
// happen.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "statics/code_graph.h"
#include "statics/code_place.h"

namespace ravel {

enum class SiteKind : std::uint8_t { kRead, kWrite, kAtomicRead, kAtomicWrite, kLock, kReadLock, kWait, kNotify };
constexpr const char* kSiteKindNames[] = {"read", "write",     "atomic read", "atomic write",
                                          "lock", "read lock", "wait",        "notify"};

enum class PairKind : std::uint8_t { kRW, kMM, kWM, kWN };
constexpr const char* kPairKindNames[] = {"RW", "MM", "WM", "WN"};

// Threads that one statement creates, with one entry.
struct ThreadClass {
  std::string name;                // "main", "T1"
  std::string entry;               // readable
  CodePlace created_at;            // of main: nothing
  CodePlace context;               // the call that leads to the statement, when there are several; line 0: none
  bool many = false;               // more than one may run at a time
  std::vector<unsigned> creators;  // classes
  bool assumed = false;            // code that was not analysed was given the functions: it may have such threads
};

// An operation of the threads of one class.
struct Site {
  unsigned thread_class = 0;
  SiteKind kind = SiteKind::kRead;
  CodePlace place;
  CodePlace context;              // the call of the function, when calls are distinguished; line 0: none
  std::vector<CodePlace> inside;  // where in library code the operation stands, if `place` only calls it
  std::string function;
  std::vector<std::string> objects;  // what it may touch
  std::vector<std::string> locks;    // held for certain
};

struct SitePair {
  PairKind kind = PairKind::kRW;
  unsigned first = 0;  // of `sites`
  unsigned second = 0;
  bool must = false;   // both touch one object, and it is the same
  std::string object;  // one that both may touch
};

struct StaticWarning {
  std::string kind;  // "race", "lock order", ...
  std::string text;
  std::vector<unsigned> sites;
};

// A place whose execution is a failure.
struct StaticTarget {
  std::string kind;  // "assert", "abort", "throw", "check"
  CodePlace place;
  std::string function;
};

struct SourceFile {
  std::string path;
  std::uint64_t hash = 0;
};

struct Facts {
  std::string build_id;  // of the program they belong to; empty: none
  std::vector<SourceFile> sources;
  std::vector<std::string> opaque;   // what was not analysed, one reason each: the facts are partial
  std::vector<std::string> without;  // filters switched off
  bool coarse = false;               // the budget ended: unification answered
  bool by_line = false;              // sites are lines: operations of one kind in a line are one
  bool any_thread = false;           // ... of whatever thread: all are of the last class, "any"
  std::vector<ThreadClass> classes;
  std::vector<Site> sites;
  std::vector<SitePair> pairs;
  std::vector<StaticWarning> warnings;
  std::vector<StaticTarget> targets;
  CodeGraph graph;
  unsigned functions = 0;  // reached from main and the threads' entries
  [[nodiscard]] bool partial() const { return !opaque.empty(); }
};

}  // namespace ravel
