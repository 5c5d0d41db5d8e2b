// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Ravel authors
//
// Evaluates a GoldiLocks lockset lazily: from one thread at one position of the log of synchronisation, who is let in?
// Work is bounded over an execution; beyond it everybody is let in, and truncated() says so.
#pragma once

#include <cstdint>
#include <cstring>
#include <memory_resource>

#include "detect/transfer_log.h"

namespace ravel {

class LocksetReplay {
 public:
  LocksetReplay(std::pmr::memory_resource& memory, TransferLog& log, std::uint32_t max_elements)
      : log_(log),
        max_elements_(max_elements),
        member_(static_cast<std::uint32_t*>(
            memory.allocate(sizeof(std::uint32_t) * (std::size_t{max_elements} + 1), alignof(std::uint32_t)))) {
    clear_members();
  }
  LocksetReplay(const LocksetReplay&) = delete;
  LocksetReplay& operator=(const LocksetReplay&) = delete;

  void begin() {
    work_ = 0;
    truncated_ = false;
  }
  // Whether `to` enters the lockset that begins as {from} at this position. With `only_these` the events of other
  // threads bring nothing; what they end is ended.
  [[nodiscard]] bool reaches(ThreadIndex from, ThreadIndex to, std::uint32_t position, bool only_these);

  // Of the last evaluation: the set when `to` entered it, or at the end; how `to` entered.
  [[nodiscard]] bool has(Element element) const { return member_[element] == evaluation_; }
  [[nodiscard]] Element through() const { return through_; }
  [[nodiscard]] std::uint32_t reached_at() const { return reached_at_; }
  [[nodiscard]] bool truncated() const { return truncated_; }

 private:
  static constexpr std::uint64_t kMaxWork = 1u << 26;  // transfers gone through in one execution

  void clear_members() { std::memset(member_, 0, sizeof(std::uint32_t) * (std::size_t{max_elements_} + 1)); }

  TransferLog& log_;
  const std::uint32_t max_elements_;
  std::uint32_t* member_;  // an element is in the set when it has the number of the present evaluation
  std::uint32_t evaluation_ = 0;
  std::uint64_t work_ = 0;
  Element through_ = 0;
  std::uint32_t reached_at_ = 0;
  bool truncated_ = false;
};

}  // namespace ravel
