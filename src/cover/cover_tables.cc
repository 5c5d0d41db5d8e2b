// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Ravel authors
#include "cover/cover_tables.h"

#include <cstring>

#include "base/hash.h"
#include "cover/task_buffer.h"

namespace ravel {
namespace {

// Of a record whose first word is the hash itself.
template <class Record>
std::uint64_t hash_of_record(const Record& record) {
  static_assert(sizeof(Record) % sizeof(std::uint64_t) == 0);
  std::uint64_t words[sizeof(Record) / sizeof(std::uint64_t)];
  std::memcpy(words, &record, sizeof(Record));
  std::uint64_t hash = 0;
  for (std::size_t i = 1; i < sizeof(Record) / sizeof(std::uint64_t); ++i) hash = hash_combine(hash, words[i]);
  return hash;
}

template <class Record>
bool is_same(const Record& a, const Record& b) {
  return std::memcmp(reinterpret_cast<const char*>(&a) + sizeof(std::uint64_t),
                     reinterpret_cast<const char*>(&b) + sizeof(std::uint64_t),
                     sizeof(Record) - sizeof(std::uint64_t)) == 0;
}

std::uint64_t hash_of_run(std::span<const std::uint32_t> tasks) {
  std::uint64_t hash = mix64(tasks.size());
  for (const std::uint32_t task : tasks) hash = hash_combine(hash, task);
  return hash;
}

}  // namespace

CoverTables::CoverTables(std::pmr::memory_resource& scratch, const CoverMemory& memory, const CoverCounts& committed)
    : memory_(memory), counts_(committed), index_(scratch, 1u << 10, 1u << 21) {
  index_again();
}

void CoverTables::index_again() {
  const auto enter = [this](Table table, std::uint64_t hash, std::uint32_t row) {
    for (std::uint64_t key = hash_combine(hash, static_cast<std::uint64_t>(table));; ++key) {
      std::uint32_t* number = index_.claim(key);
      if (number == nullptr) return;
      if (*number != 0) continue;
      *number = row + 1;
      return;
    }
  };
  for (std::uint32_t i = 0; i < counts_.tasks; ++i) enter(Table::kTasks, memory_.tasks[i].hash, i);
  for (std::uint32_t i = 0; i < counts_.threads; ++i) enter(Table::kThreads, memory_.threads[i].hash, i);
  for (std::uint32_t i = 0; i < counts_.objects; ++i) enter(Table::kObjects, memory_.objects[i].hash, i);
  for (std::uint32_t i = 0; i < counts_.seen_threads; ++i) {
    enter(Table::kSeenThreads, memory_.seen_threads[i].hash, i);
  }
  for (std::uint32_t i = 0; i < counts_.seen_objects; ++i) {
    enter(Table::kSeenObjects, memory_.seen_objects[i].hash, i);
  }
  for (std::uint32_t i = 0; i < counts_.set_words; i += 1 + static_cast<std::uint32_t>(memory_.set_words[i])) {
    enter(Table::kSets, hash_of_task(MetricId::kCount, {memory_.set_words + i + 1, memory_.set_words[i]}), i);
  }
  for (std::uint32_t i = 0; i < counts_.run_words; i += 1 + memory_.run_words[i]) {
    enter(Table::kRunSets, hash_of_run({memory_.run_words + i + 1, memory_.run_words[i]}), i);
  }
}

// `add` yields the row of the new entry, or kFull.
template <class Same, class Add>
std::uint32_t CoverTables::intern(Table table, std::uint64_t hash, Same&& same, Add&& add) {
  for (std::uint64_t key = hash_combine(hash, static_cast<std::uint64_t>(table));; ++key) {
    std::uint32_t* number = index_.claim(key);
    if (number == nullptr) break;
    if (*number == 0) {
      const std::uint32_t row = add();
      if (row == kFull) {
        index_.erase(key);
        break;
      }
      *number = row + 1;
      return row;
    }
    if (same(*number - 1)) return *number - 1;
  }
  counts_.truncated = 1;
  return kFull;
}

template <class Record>
std::uint32_t CoverTables::row_of(Table table, const Record& wanted, Record* rows, std::uint32_t& used,
                                  std::uint32_t capacity) {
  const std::uint64_t hash = hash_of_record(wanted);
  const auto same = [&](std::uint32_t row) { return row < used && is_same(rows[row], wanted); };
  const auto add = [&] {
    if (used == capacity) return kFull;
    rows[used] = wanted;
    rows[used].hash = hash;
    return used++;
  };
  return intern(table, hash, same, add);
}

std::uint32_t CoverTables::thread(const ThreadIdentityRecord& wanted) {
  return row_of(Table::kThreads, wanted, memory_.threads, counts_.threads, memory_.capacity.threads);
}

std::uint32_t CoverTables::object(const ObjectIdentityRecord& wanted) {
  return row_of(Table::kObjects, wanted, memory_.objects, counts_.objects, memory_.capacity.objects);
}

void CoverTables::saw_thread(const ThreadIdentityRecord& whole) {
  // No task is lost when this table is full.
  if (counts_.seen_threads == memory_.capacity.seen_threads) {
    counts_.seen_truncated = 1;
  } else {
    row_of(Table::kSeenThreads, whole, memory_.seen_threads, counts_.seen_threads, memory_.capacity.seen_threads);
  }
}

void CoverTables::saw_object(const ObjectIdentityRecord& whole) {
  if (counts_.seen_objects == memory_.capacity.seen_objects) {
    counts_.seen_truncated = 1;
  } else {
    row_of(Table::kSeenObjects, whole, memory_.seen_objects, counts_.seen_objects, memory_.capacity.seen_objects);
  }
}

std::uint32_t CoverTables::task(MetricId metric, std::span<const Atom> fields) {
  const std::uint64_t hash = hash_of_task(metric, fields);
  const auto same = [&](std::uint32_t row) {
    return row < counts_.tasks && TaskBuffer::is(memory_.tasks[row], metric, fields);
  };
  const auto add = [&] {
    if (counts_.tasks == memory_.capacity.tasks) return kFull;
    memory_.tasks[counts_.tasks] = TaskBuffer::record_of(metric, fields, hash);
    return counts_.tasks++;
  };
  return intern(Table::kTasks, hash, same, add);
}

// A count, then the members.
template <class Word>
std::uint32_t CoverTables::list(Table table, std::uint64_t hash, std::span<const Word> sorted, Word* words,
                                std::uint32_t& used, std::uint32_t capacity) {
  const auto same = [&](std::uint32_t row) {
    return row < used && words[row] == sorted.size() &&
           std::memcmp(words + row + 1, sorted.data(), sorted.size_bytes()) == 0;
  };
  const auto add = [&] {
    const std::uint32_t first = used;
    if (capacity - first < sorted.size() + 1) return kFull;
    words[first] = static_cast<Word>(sorted.size());
    if (!sorted.empty()) std::memcpy(words + first + 1, sorted.data(), sorted.size_bytes());
    used += static_cast<std::uint32_t>(sorted.size()) + 1;
    return first;
  };
  return intern(table, hash, same, add);
}

std::uint32_t CoverTables::set(std::span<const Atom> sorted) {
  return list(Table::kSets, hash_of_task(MetricId::kCount, sorted), sorted, memory_.set_words, counts_.set_words,
              memory_.capacity.set_words);
}

std::uint32_t CoverTables::run_set(std::span<const std::uint32_t> sorted) {
  return list(Table::kRunSets, hash_of_run(sorted), sorted, memory_.run_words, counts_.run_words,
              memory_.capacity.run_words);
}

bool CoverTables::add_run(std::uint32_t set, bool failed) {
  if (counts_.runs == memory_.capacity.runs) {
    counts_.truncated = 1;
    return false;
  }
  memory_.runs[counts_.runs++] = set | (failed ? kFailedRun : 0);
  return true;
}

}  // namespace ravel
