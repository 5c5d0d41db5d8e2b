// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Ravel authors
#include "report/cover_rows.h"

#include <new>

namespace ravel {

template <class Row>
Row* CoverRows::zeroed(std::uint32_t rows) {
  if (rows == 0) return nullptr;
  void* const block = std::calloc(rows, sizeof(Row));
  if (block == nullptr) throw std::bad_alloc();
  blocks_.emplace_back(block);
  return static_cast<Row*>(block);
}

CoverRows::CoverRows(const CoverCapacity& rows)
    : memory_{zeroed<TaskRecord>(rows.tasks),
              zeroed<ThreadIdentityRecord>(rows.threads),
              zeroed<ObjectIdentityRecord>(rows.objects),
              zeroed<Atom>(rows.set_words),
              zeroed<std::uint32_t>(rows.run_words),
              zeroed<std::uint32_t>(rows.runs),
              zeroed<ThreadIdentityRecord>(rows.seen_threads),
              zeroed<ObjectIdentityRecord>(rows.seen_objects),
              rows} {}

CoverageData CoverRows::used(const CoverCounts& counts) const {
  CoverageData data;
  data.tasks.assign(memory_.tasks, memory_.tasks + counts.tasks);
  data.threads.assign(memory_.threads, memory_.threads + counts.threads);
  data.objects.assign(memory_.objects, memory_.objects + counts.objects);
  data.set_words.assign(memory_.set_words, memory_.set_words + counts.set_words);
  data.run_words.assign(memory_.run_words, memory_.run_words + counts.run_words);
  data.runs.assign(memory_.runs, memory_.runs + counts.runs);
  data.seen_threads.assign(memory_.seen_threads, memory_.seen_threads + counts.seen_threads);
  data.seen_objects.assign(memory_.seen_objects, memory_.seen_objects + counts.seen_objects);
  data.truncated = counts.truncated != 0;
  data.seen_truncated = counts.seen_truncated != 0;
  return data;
}

}  // namespace ravel
