// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Ravel authors
//
// Executions whose memory has been compared in this process, by the key of their choices. Of two keys with the same
// place the later one stays: forgetting costs a comparison, nothing else. Lies in memory that is not put back.
#pragma once

#include <cstddef>
#include <cstdint>

#include "runtime/memory/pages.h"

namespace ravel {

class KnownChoices {
 public:
  // After the snapshot was taken.
  void prepare() { keys_ = static_cast<std::uint64_t*>(rt::reserve_pages(kAddress, kSlots * sizeof(std::uint64_t))); }
  [[nodiscard]] bool contains(std::uint64_t key) const { return keys_ != nullptr && keys_[key % kSlots] == key; }
  void add(std::uint64_t key) {
    if (keys_ != nullptr) keys_[key % kSlots] = key;
  }

 private:
  static constexpr std::uintptr_t kAddress = 0x52f000000000ull;
  static constexpr std::size_t kSlots = std::size_t{1} << 18;
  std::uint64_t* keys_ = nullptr;
};

}  // namespace ravel
