// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Ravel authors
#include "report/cover_rows.h"

namespace ravel {

CoverRows::CoverRows(CoverageData& data, const CoverCapacity& rows) {
  data.tasks.resize(rows.tasks);
  data.threads.resize(rows.threads);
  data.objects.resize(rows.objects);
  data.set_words.resize(rows.set_words);
  data.run_words.resize(rows.run_words);
  data.runs.resize(rows.runs);
  data.seen_threads.resize(rows.seen_threads);
  data.seen_objects.resize(rows.seen_objects);
  memory = {data.tasks.data(),
            data.threads.data(),
            data.objects.data(),
            data.set_words.data(),
            data.run_words.data(),
            data.runs.data(),
            data.seen_threads.empty() ? nullptr : data.seen_threads.data(),
            data.seen_objects.empty() ? nullptr : data.seen_objects.data(),
            rows};
}

void cut_rows(CoverageData& data, const CoverCounts& counts) {
  data.tasks.resize(counts.tasks);
  data.threads.resize(counts.threads);
  data.objects.resize(counts.objects);
  data.set_words.resize(counts.set_words);
  data.run_words.resize(counts.run_words);
  data.runs.resize(counts.runs);
  data.seen_threads.resize(counts.seen_threads);
  data.seen_objects.resize(counts.seen_objects);
  data.truncated = counts.truncated != 0;
  data.seen_truncated = counts.seen_truncated != 0;
}

}  // namespace ravel
