// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Ravel authors
#include "explore/step_index.h"

namespace ravel {
namespace {

constexpr std::uint32_t kFewestBuckets = 64;  // one for each key
constexpr std::uint32_t kStepsPerBucket = 4;  // to make more of them costs as much as the steps do

std::uint32_t* room(std::pmr::memory_resource& memory, std::size_t count) {
  return static_cast<std::uint32_t*>(memory.allocate(sizeof(std::uint32_t) * count, alignof(std::uint32_t)));
}

}  // namespace

StepIndex::StepIndex(std::pmr::memory_resource& memory, std::uint32_t most_steps, std::uint32_t most_columns)
    : by_column_(room(memory, most_steps)),
      column_begin_(room(memory, most_columns + 1)),
      column_end_(room(memory, most_columns)),
      by_bucket_(room(memory, most_steps)),
      slot_of_writer_(room(memory, most_steps)),
      slot_(room(memory, most_steps)),
      wide_(room(memory, most_steps)),
      wide_before_(room(memory, most_steps)) {}

void StepIndex::start(std::uint32_t count, std::uint32_t columns) {
  std::uint32_t buckets = kFewestBuckets;
  while (buckets < kMostBuckets && buckets * kStepsPerBucket < count) buckets *= 2;
  mask_ = buckets - 1;
  count_ = count;
  columns_ = columns;
  wide_count_ = 0;
  std::fill_n(bucket_begin_, buckets + 1, 0u);
  std::fill_n(column_begin_, columns + 1, 0u);
}

void StepIndex::add_up() {
  for (std::uint32_t b = 0; b <= mask_; ++b) {
    bucket_begin_[b + 1] += bucket_begin_[b];
    bucket_end_[b] = writer_end_[b] = bucket_begin_[b];
  }
  for (std::uint32_t c = 0; c < columns_; ++c) {
    column_begin_[c + 1] += column_begin_[c];
    column_end_[c] = column_begin_[c];
  }
}

StepIndex::Walk StepIndex::walk(Spot spot, std::uint32_t bound, bool writers_only) const {
  const std::uint32_t bucket = spot & mask_;
  Walk walk;
  walk.index_ = this;
  walk.writers_only_ = writers_only;
  walk.first_ = bucket_begin_[bucket];
  walk.wide_ = bound < count_ ? wide_before_[bound] : wide_count_;
  const std::uint32_t end = bucket_begin_[bucket + 1];
  if (bound >= count_) {
    walk.narrow_ = end;
  } else if (slot_[bound] >= walk.first_ && slot_[bound] < end) {
    walk.narrow_ = slot_[bound];
  } else {
    walk.narrow_ =
        static_cast<std::uint32_t>(std::lower_bound(by_bucket_ + walk.first_, by_bucket_ + end, bound) - by_bucket_);
  }
  if (!writers_only || walk.narrow_ == walk.first_) return walk;
  // Behind the last one that does more than read.
  if (walk.narrow_ < end) {
    walk.narrow_ = slot_of_writer_[walk.narrow_];
  } else {
    walk.narrow_ = writer_end_[bucket];
  }
  return walk;
}

}  // namespace ravel
