// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Ravel authors
//
// The coverage of one or several campaigns under names that last: tasks, and which execution covered which of them.
// Made by naming what a worker counted, by reading a file, or by putting several together.
#pragma once

#include <algorithm>
#include <cstdint>
#include <initializer_list>
#include <map>
#include <set>
#include <string>
#include <unordered_map>
#include <unordered_set>
#include <vector>

#include "base/invariant.h"
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

// Numbers of names, in place: files hold a million tasks.
class CoverFields {
 public:
  CoverFields() = default;
  CoverFields(std::initializer_list<std::uint32_t> numbers) {
    for (const std::uint32_t number : numbers) push_back(number);
  }
  void push_back(std::uint32_t number) {
    INVARIANT(count_ < kMostFields, "who reads a task has counted its fields");
    number_[count_++] = number;
  }
  [[nodiscard]] std::size_t size() const { return count_; }
  [[nodiscard]] bool empty() const { return count_ == 0; }
  [[nodiscard]] std::uint32_t operator[](std::size_t i) const { return number_[i]; }
  [[nodiscard]] const std::uint32_t* begin() const { return number_; }
  [[nodiscard]] const std::uint32_t* end() const { return number_ + count_; }
  [[nodiscard]] std::uint32_t* begin() { return number_; }
  [[nodiscard]] std::uint32_t* end() { return number_ + count_; }
  friend bool operator==(const CoverFields& a, const CoverFields& b) {
    return a.count_ == b.count_ && std::equal(a.begin(), a.end(), b.begin());
  }

 private:
  std::uint32_t number_[kMostFields] = {};
  std::uint32_t count_ = 0;
};

struct CoverTask {
  MetricId metric = MetricId::kCount;
  OpKind primitive = OpKind::kNone;  // of `sync'
  CoverFields fields;                // names
};

std::uint64_t hash_of(const CoverTask& task);
bool same_task(const CoverTask& a, const CoverTask& b);

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
  std::string noise;                               // of free runs; empty: none was injected
  std::map<std::string, std::uint64_t> injected;   // ... injections by place
  std::map<std::string, std::uint64_t> functions;  // hash of the source text of each; 0: not known

  // Threads by hashes: of the lineage, of the type, and of the type with the first 1, 2, ... functions. Objects: of
  // themselves, of their type, of where they were made. Of all executions together.
  std::set<std::vector<std::uint64_t>> threads;
  std::set<std::vector<std::uint64_t>> objects;
  std::uint32_t functions_known = 0;  // of a thread, at most
  bool seen_truncated = false;

  // Fields separated by blanks.
  [[nodiscard]] std::string text(const CoverTask& task) const;
};

// How many threads and objects each identity distinguishes. Functions: of `threads` only, from 1.
enum class SeenBy : std::uint8_t { kReal, kType, kAbstract };
std::uint64_t threads_seen(const TaskCoverage& coverage, SeenBy by, std::size_t functions = 1);
std::uint64_t objects_seen(const TaskCoverage& coverage, SeenBy by);

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
  // By what the task is, not by its number.
  struct TaskHash {
    const TaskCoverage* coverage;
    std::size_t operator()(std::uint32_t number) const { return hash_of(coverage->tasks[number]); }
  };
  struct SameTask {
    const TaskCoverage* coverage;
    bool operator()(std::uint32_t a, std::uint32_t b) const {
      return same_task(coverage->tasks[a], coverage->tasks[b]);
    }
  };
  TaskCoverage& coverage_;
  std::unordered_map<std::string, std::uint32_t> names_;
  std::unordered_set<std::uint32_t, TaskHash, SameTask> tasks_;  // numbers of tasks
  std::unordered_map<std::string, std::uint32_t> sets_;
};

}  // namespace ravel
