// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Ravel authors
//
// StepIndex: finds the steps of an execution that may conflict with a given one, or that belong to one thread, without
// a walk over all of them. A long trace costs as much per step as a short one only as long as every question is
// answered by it.
//
// A location hashes to a number. Its low six bits are a step's key (steps with no key in common are independent), more
// of its bits are a bucket. Narrow steps have one location and are kept by bucket; wide ones have several and are kept
// in one list that everybody passes. How many buckets there are depends on the length of the execution.
//
// Scratch, like Steps: built once per execution, in one pass.
#pragma once

#include <algorithm>
#include <cstdint>
#include <memory_resource>
#include <span>

namespace ravel {

// The hash of a step's only location; kSeveral: it has more than one.
using Spot = std::uint32_t;
inline constexpr Spot kSeveral = 0xffffffffu;

class StepIndex {
 public:
  StepIndex(std::pmr::memory_resource& memory, std::uint32_t most_steps, std::uint32_t most_columns);

  // What the index needs to know of a step.
  struct Entry {
    Spot spot;
    std::uint32_t column;
    bool only_reads;  // independent of all others that only read
  };

  // entry(i) yields the Entry of step i.
  template <class EntryOf>
  void build(std::uint32_t count, std::uint32_t columns, EntryOf&& entry) {
    start(count, columns);
    for (std::uint32_t i = 0; i < count; ++i) count_in(entry(i));
    add_up();
    for (std::uint32_t i = 0; i < count; ++i) place(i, entry(i));
  }

  [[nodiscard]] std::uint32_t buckets() const { return mask_ + 1; }
  // The steps of a thread, in order: step of position p is at p - 1.
  [[nodiscard]] std::span<const std::uint32_t> of_column(std::uint32_t column) const {
    return {by_column_ + column_begin_[column], column_begin_[column + 1] - column_begin_[column]};
  }

  // A walk over the steps with a location's hash, and all wide ones.
  class Walk {
   public:
    // The last step not yet passed, and goes back behind it; kNone: there is none.
    static constexpr std::uint32_t kNone = 0xffffffffu;
    std::uint32_t back() {
      const std::uint32_t narrow = narrow_ == first_ ? 0 : index_->by_bucket_[narrow_ - 1] + 1;
      const std::uint32_t wide = wide_ == 0 ? 0 : index_->wide_[wide_ - 1] + 1;
      if (narrow > wide) {
        narrow_ = writers_only_ ? index_->slot_of_writer_[narrow_ - 1] : narrow_ - 1;
        return narrow - 1;
      }
      if (wide != 0) --wide_;
      return wide - 1;
    }

   private:
    friend class StepIndex;
    const StepIndex* index_;
    std::uint32_t first_;   // slot at which the bucket begins
    std::uint32_t narrow_;  // slot behind the next narrow one
    std::uint32_t wide_;    // the same of the wide ones
    bool writers_only_;     // narrow steps that only read are passed over
  };

  // Back from step `bound`, without it; count: from the end.
  [[nodiscard]] Walk walk(Spot spot, std::uint32_t bound, bool writers_only = false) const;
  // Forward over all of them, up to the end. visit(i).
  template <class Visit>
  void forward(Spot spot, Visit&& visit) const {
    const std::uint32_t bucket = spot & mask_;
    std::uint32_t narrow = bucket_begin_[bucket];
    const std::uint32_t end = bucket_begin_[bucket + 1];
    std::uint32_t wide = 0;
    while (narrow != end || wide != wide_count_) {
      const bool take_narrow = wide == wide_count_ || (narrow != end && by_bucket_[narrow] < wide_[wide]);
      visit(take_narrow ? by_bucket_[narrow++] : wide_[wide++]);
    }
  }

 private:
  static constexpr std::uint32_t kMostBuckets = 1u << 12;

  void start(std::uint32_t count, std::uint32_t columns);
  void count_in(const Entry& entry) {
    ++column_begin_[entry.column + 1];
    if (entry.spot != kSeveral) ++bucket_begin_[(entry.spot & mask_) + 1];
  }
  void add_up();
  void place(std::uint32_t step, const Entry& entry) {
    by_column_[column_end_[entry.column]++] = step;
    wide_before_[step] = wide_count_;
    slot_[step] = kSeveral;
    if (entry.spot == kSeveral) {
      wide_[wide_count_++] = step;
      return;
    }
    const std::uint32_t bucket = entry.spot & mask_;
    const std::uint32_t slot = bucket_end_[bucket]++;
    by_bucket_[slot] = step;
    slot_[step] = slot;
    slot_of_writer_[slot] = writer_end_[bucket];
    if (!entry.only_reads) writer_end_[bucket] = slot + 1;
  }

  std::uint32_t* by_column_;
  std::uint32_t* column_begin_;
  std::uint32_t* column_end_;
  std::uint32_t* by_bucket_;
  std::uint32_t* slot_of_writer_;  // behind the last one before this slot that does more than read
  std::uint32_t* slot_;            // of a narrow step in by_bucket_
  std::uint32_t* wide_;
  std::uint32_t* wide_before_;  // wide steps before a step
  std::uint32_t bucket_begin_[kMostBuckets + 1];
  std::uint32_t bucket_end_[kMostBuckets];
  std::uint32_t writer_end_[kMostBuckets];
  std::uint32_t mask_ = 0;
  std::uint32_t count_ = 0;
  std::uint32_t columns_ = 0;
  std::uint32_t wide_count_ = 0;
};

}  // namespace ravel
