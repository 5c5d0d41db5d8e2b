// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Ravel authors
//
// The tables of a campaign's coverage, in memory that survives a killed worker (model/coverage.h). They only grow: what
// an execution adds lies behind the committed counts until the engine commits its counters, so a lost execution leaves
// nothing behind. The index by hash is scratch memory, made again from the tables when a worker starts.
#pragma once

#include <cstdint>
#include <memory_resource>
#include <span>

#include "base/place_map.h"
#include "model/coverage.h"

namespace ravel {

// Rows; the memory of what is not used is never touched.
struct CoverCapacity {
  std::uint32_t tasks = 1u << 19;
  std::uint32_t threads = 1u << 12;
  std::uint32_t objects = 1u << 16;
  std::uint32_t set_words = 1u << 19;
  std::uint32_t run_words = 1u << 24;
  std::uint32_t runs = 1u << 22;
  std::uint32_t seen_threads = 1u << 13;
  std::uint32_t seen_objects = 1u << 17;
};

struct CoverMemory {
  TaskRecord* tasks = nullptr;
  ThreadIdentityRecord* threads = nullptr;
  ObjectIdentityRecord* objects = nullptr;
  Atom* set_words = nullptr;
  std::uint32_t* run_words = nullptr;
  std::uint32_t* runs = nullptr;
  ThreadIdentityRecord* seen_threads = nullptr;
  ObjectIdentityRecord* seen_objects = nullptr;
  CoverCapacity capacity;
};

class CoverTables {
 public:
  // Continues what `committed` counts.
  CoverTables(std::pmr::memory_resource& scratch, const CoverMemory& memory, const CoverCounts& committed);
  CoverTables(const CoverTables&) = delete;
  CoverTables& operator=(const CoverTables&) = delete;

  // Rows of what may be new; kFull when there is no room.
  static constexpr std::uint32_t kFull = 0xffffffffu;
  std::uint32_t thread(const ThreadIdentityRecord& wanted);
  std::uint32_t object(const ObjectIdentityRecord& wanted);
  std::uint32_t task(MetricId metric, std::span<const Atom> fields);
  std::uint32_t set(std::span<const Atom> sorted);
  std::uint32_t run_set(std::span<const std::uint32_t> sorted);
  // Threads and objects by all that tells them apart: for counts by identity, not part of any task.
  void saw_thread(const ThreadIdentityRecord& whole);
  void saw_object(const ObjectIdentityRecord& whole);
  // One more execution. False: no room.
  bool add_run(std::uint32_t set, bool failed);
  // An exhaustive search starts over: the count of executions begins at zero.
  void forget_runs() { counts_.runs = 0; }

  [[nodiscard]] const CoverCounts& counts() const { return counts_; }
  void set_truncated() { counts_.truncated = 1; }
  void set_saturated() { counts_.saturated = 1; }
  [[nodiscard]] const CoverMemory& memory() const { return memory_; }

 private:
  enum class Table : std::uint8_t { kTasks, kThreads, kObjects, kSets, kRunSets, kSeenThreads, kSeenObjects };
  template <class Same, class Add>
  std::uint32_t intern(Table table, std::uint64_t hash, Same&& same, Add&& add);
  template <class Record>
  std::uint32_t row_of(Table table, const Record& wanted, Record* rows, std::uint32_t& used, std::uint32_t capacity);
  template <class Word>
  std::uint32_t list(Table table, std::uint64_t hash, std::span<const Word> sorted, Word* words, std::uint32_t& used,
                     std::uint32_t capacity);
  void index_again();

  CoverMemory memory_;
  CoverCounts counts_;
  PlaceMap index_;
};

}  // namespace ravel
