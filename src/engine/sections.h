// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Ravel authors
//
// Named sections of the engine's lasting memory. Who has something to keep for the whole campaign (findings, points, a
// metric) opens a section by name: the first worker gets it zeroed, later ones get it as it was left. CampaignState has
// no member for it.
//
// A section exists once it is counted, which is one store: a worker killed before that leaks its bytes at most. What is
// in a section is kept consistent by its owner, by the rules of campaign_state.h.
#pragma once

#include <atomic>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <new>
#include <string_view>
#include <type_traits>

#include "base/arena.h"
#include "base/invariant.h"

namespace ravel {

class Sections {
 public:
  static constexpr std::uint32_t kMost = 32;
  static constexpr std::size_t kNameBytes = 24;

  // A section of T, made of zeroed memory by its default constructor when it is opened first.
  template <class T>
  T& open(Arena& memory, std::string_view name) {
    static_assert(std::is_trivially_destructible_v<T>, "a section is never closed");
    if (void* known = find(name, sizeof(T)); known != nullptr) return *static_cast<T*>(known);
    T* made = new (memory.allocate(sizeof(T), alignof(T))) T;
    add(name, made, sizeof(T));
    return *made;
  }

  // `bytes` bytes; untouched memory of the block is zero, and stays untouched.
  void* open_bytes(Arena& memory, std::string_view name, std::size_t bytes) {
    if (void* known = find(name, bytes); known != nullptr) return known;
    void* made = memory.allocate(bytes, Arena::kLine);
    add(name, made, bytes);
    return made;
  }

  [[nodiscard]] std::uint32_t count() const { return count_; }

  // Null: there is none of that name. One name has one size.
  [[nodiscard]] void* find(std::string_view name, std::size_t bytes) const {
    for (std::uint32_t i = 0; i < count_; ++i) {
      const Entry& entry = entries_[i];
      if (std::string_view(entry.name, strnlen(entry.name, kNameBytes)) != name) continue;
      INVARIANT(entry.bytes == bytes, "a section is opened as what it was made");
      return entry.at;
    }
    return nullptr;
  }

 private:
  struct Entry {
    char name[kNameBytes] = {};
    void* at = nullptr;  // in the arena, which every worker has at the same address
    std::size_t bytes = 0;
  };

  void add(std::string_view name, void* at, std::size_t bytes) {
    INVARIANT(count_ < kMost, "there is room for every section");
    INVARIANT(!name.empty() && name.size() <= kNameBytes, "a section's name fits");
    Entry& entry = entries_[count_];
    entry = Entry{};
    std::memcpy(entry.name, name.data(), name.size());
    entry.at = at;
    entry.bytes = bytes;
    std::atomic_signal_fence(std::memory_order_seq_cst);
    ++count_;
  }

  std::uint32_t count_ = 0;
  Entry entries_[kMost];
};

}  // namespace ravel
