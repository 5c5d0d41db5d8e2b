// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Ravel authors
//
// The coverage of one or several campaigns under names that last: tasks, and which execution covered which of them.
// Made by naming what a worker counted, by reading a file, or by putting several together.
#pragma once

#include <cstdint>
#include <map>
#include <string>
#include <unordered_map>
#include <vector>

#include "model/coverage.h"

namespace ravel {

// Of what a search has covered everything.
enum class CoverComplete : std::uint8_t { kNo, kTraces, kSchedules };

// A field of tasks.
struct CoverName {
  std::string text;      // for people: bank.cpp:12
  std::string lasting;   // does not change with edits elsewhere: function, line in it, column, n-th
  std::string function;  // that the place is in; empty: no place
};

struct CoverTask {
  MetricId metric = MetricId::kCount;
  OpKind primitive = OpKind::kNone;   // of `sync'
  std::vector<std::uint32_t> fields;  // names
};

struct CoverRun {
  std::uint32_t set = 0;
  bool failed = false;
};

struct TaskCoverage {
  std::string program;  // base name of its file
  std::string build_id;
  std::string strategy;
  std::string points;
  std::string identity;
  bool adaptive = false;  // executions depend on earlier ones
  CoverComplete complete = CoverComplete::kNo;
  bool truncated = false;
  std::uint32_t metrics = 0;
  std::vector<CoverName> names;
  std::vector<CoverTask> tasks;
  std::vector<std::vector<std::uint32_t>> sets;  // of tasks, ascending
  std::vector<CoverRun> runs;
  std::map<std::string, std::uint64_t> functions;  // hash of the source text of each; 0: not known

  // Fields separated by blanks.
  [[nodiscard]] std::string text(const CoverTask& task) const;
  // The same of lasting names.
  [[nodiscard]] std::string key(const CoverTask& task) const;
};

// Adds to a TaskCoverage, each thing once.
class CoverageBuilder {
 public:
  explicit CoverageBuilder(TaskCoverage& coverage);

  std::uint32_t name(const CoverName& name);
  std::uint32_t task(const CoverTask& task);
  std::uint32_t set(std::vector<std::uint32_t> tasks);
  void run(std::uint32_t set, bool failed) { coverage_.runs.push_back({set, failed}); }
  // All of another one of the same program.
  void add(const TaskCoverage& other);

 private:
  TaskCoverage& coverage_;
  std::unordered_map<std::string, std::uint32_t> names_;
  std::unordered_map<std::string, std::uint32_t> tasks_;
  std::unordered_map<std::string, std::uint32_t> sets_;
};

}  // namespace ravel
