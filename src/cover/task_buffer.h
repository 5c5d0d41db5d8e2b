// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Ravel authors
//
// The tasks of the execution in hand, each once. Threads are still numbers of this execution: who they are is known at
// the end (cover_tables.h). What does not fit is left out, and truncated() says so.
#pragma once

#include <cstdint>
#include <memory_resource>
#include <span>

#include "base/hash.h"
#include "base/place_map.h"
#include "base/pool.h"
#include "model/coverage.h"

namespace ravel {

// Never 0.
inline std::uint64_t hash_of_task(MetricId metric, std::span<const Atom> fields) {
  std::uint64_t hash = mix64(static_cast<std::uint64_t>(metric) + 1);
  for (const Atom field : fields) hash = hash_combine(hash, field);
  return hash == 0 ? 1 : hash;
}

class TaskBuffer {
 public:
  static constexpr std::uint32_t kMostTasks = 1u << 17;
  static constexpr std::uint32_t kMostSetWords = 1u << 17;

  explicit TaskBuffer(std::pmr::memory_resource& memory)
      : index_(memory, 1u << 10, 2 * kMostTasks),
        tasks_(memory, kMostTasks),
        sets_(static_cast<Atom*>(memory.allocate(sizeof(Atom) * kMostSetWords, alignof(Atom)))),
        set_index_(memory, 1u << 8, kMostSetWords) {}
  TaskBuffer(const TaskBuffer&) = delete;
  TaskBuffer& operator=(const TaskBuffer&) = delete;

  void begin() {
    index_.clear();
    tasks_.clear();
    set_index_.clear();
    set_words_ = 0;
    truncated_ = false;
  }

  void add(MetricId metric, std::span<const Atom> fields) {
    std::uint64_t hash = hash_of_task(metric, fields);
    for (;; ++hash) {
      std::uint32_t* number = index_.claim(hash);
      if (number == nullptr) {
        truncated_ = true;
        return;
      }
      if (*number == 0) {
        *number = tasks_.add(record_of(metric, fields, hash));
        if (*number == 0) {
          truncated_ = true;
          index_.erase(hash);
        }
        return;
      }
      if (is(tasks_[*number], metric, fields)) return;
    }
  }

  // A set as an atom: sorted, each once.
  Atom set_of(std::span<const Atom> sorted) {
    std::uint64_t hash = hash_of_task(MetricId::kCount, sorted);
    for (;; ++hash) {
      std::uint32_t* at = set_index_.claim(hash);
      if (at == nullptr) {
        truncated_ = true;
        return 0;
      }
      if (*at != 0 && same(*at - 1, sorted)) return make_atom(AtomKind::kSet, *at - 1);
      if (*at != 0) continue;
      if (set_words_ + sorted.size() + 1 > kMostSetWords) {
        truncated_ = true;
        set_index_.erase(hash);
        return 0;
      }
      const std::uint32_t first = set_words_;
      sets_[set_words_++] = sorted.size();
      for (const Atom atom : sorted) sets_[set_words_++] = atom;
      *at = first + 1;
      return make_atom(AtomKind::kSet, first);
    }
  }
  [[nodiscard]] std::span<const Atom> set(Atom atom) const {
    const std::uint64_t at = value_of(atom);
    return {sets_ + at + 1, sets_[at]};
  }

  // From 1.
  [[nodiscard]] std::uint32_t count() const { return tasks_.live(); }
  [[nodiscard]] const TaskRecord& operator[](std::uint32_t number) const { return tasks_[number]; }
  [[nodiscard]] bool truncated() const { return truncated_; }

  static TaskRecord record_of(MetricId metric, std::span<const Atom> fields, std::uint64_t hash) {
    TaskRecord record;
    record.hash = hash;
    record.metric = metric;
    record.fields = static_cast<std::uint8_t>(fields.size());
    for (std::size_t i = 0; i < fields.size(); ++i) record.field[i] = fields[i];
    return record;
  }
  static bool is(const TaskRecord& record, MetricId metric, std::span<const Atom> fields) {
    if (record.metric != metric || record.fields != fields.size()) return false;
    for (std::size_t i = 0; i < fields.size(); ++i) {
      if (record.field[i] != fields[i]) return false;
    }
    return true;
  }

 private:
  [[nodiscard]] bool same(std::uint32_t at, std::span<const Atom> sorted) const {
    if (sets_[at] != sorted.size()) return false;
    for (std::size_t i = 0; i < sorted.size(); ++i) {
      if (sets_[at + 1 + i] != sorted[i]) return false;
    }
    return true;
  }

  PlaceMap index_;
  Pool<TaskRecord> tasks_;
  Atom* sets_;
  PlaceMap set_index_;
  std::uint32_t set_words_ = 0;
  bool truncated_ = false;
};

}  // namespace ravel
