// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Ravel authors
//
// Which places of the user's code a thread can still get to, by the static code graph: from where it stands, in the
// functions that it calls from there, and in its callers once it has returned. Plain data, a view.
//
// A place is a call in the user's code (a return address). What the table does not know may be reached.
//
// Invariants: `places` and `columns` are sorted by location; rows are within `words`.
#pragma once

#include <cstdint>
#include <span>

#include "base/sorted.h"
#include "model/event.h"

namespace ravel {

struct ReachPlace {
  static constexpr std::uint32_t kNoRow = 0xffffffffu;
  LocationId location = 0;
  std::uint32_t row = kNoRow;    // what can come from here on, the line's own operations and calls included
  std::uint32_t after = kNoRow;  // ... once the call that stands here has returned
  std::uint32_t leaves = 1;      // the function can be left from here
};

// Threads that are created at a place.
struct ReachCreation {
  LocationId location = 0;
  std::uint32_t thread_class = 0;
};

enum class Reach : std::uint8_t {
  kYes,     // or unknown
  kBranch,  // there is no way any more
  kCallee,  // there would be one, had another function been called
};

struct ReachTable {
  std::span<const ReachPlace> places{};
  std::span<const LocationId> columns{};  // places that are asked for
  std::span<const std::uint32_t> words{};
  std::span<const ReachCreation> creations{};

  [[nodiscard]] bool empty() const { return columns.empty(); }
  [[nodiscard]] std::size_t row_words() const { return (columns.size() + 31) / 32; }

  // nullptr: not the user's code.
  [[nodiscard]] const ReachPlace* find(LocationId location) const {
    const std::size_t at = first_not(places.size(), [&](std::size_t i) { return places[i].location < location; });
    return at < places.size() && places[at].location == location ? &places[at] : nullptr;
  }
  // columns.size(): nobody asks for it.
  [[nodiscard]] std::size_t column_of(LocationId location) const {
    const std::size_t at = first_not(columns.size(), [&](std::size_t i) { return columns[i] < location; });
    return at < columns.size() && columns[at] == location ? at : columns.size();
  }
  [[nodiscard]] bool has(std::uint32_t row, std::size_t column) const {
    if (row == ReachPlace::kNoRow) return true;
    return (words[row * row_words() + column / 32] >> (column % 32) & 1) != 0;
  }

  // The innermost place of the user's code on a call stack, the operation's own location first. 0: there is none.
  [[nodiscard]] LocationId user_place(std::span<const LocationId> stack) const {
    for (const LocationId frame : stack) {
      if (find(frame) != nullptr) return frame;
    }
    return 0;
  }

  // Can a thread with this call stack, innermost first, get to a place? Of a caller only what is behind its call
  // counts; but library code in between may call again what it called.
  [[nodiscard]] Reach ask(std::span<const LocationId> stack, LocationId target) const {
    const std::size_t column = column_of(target);
    if (column == columns.size()) return Reach::kYes;
    bool found = false;
    bool other_callee = false;
    bool direct = false;  // the frame inside this one is the user's too
    for (const LocationId frame : stack) {
      const ReachPlace* at = find(frame);
      if (at == nullptr) {
        direct = false;
        continue;
      }
      if (has(found && direct ? at->after : at->row, column)) return Reach::kYes;
      other_callee = other_callee || (found && has(at->row, column));
      found = direct = true;
      if (at->leaves == 0) break;
    }
    if (!found) return Reach::kYes;
    return other_callee ? Reach::kCallee : Reach::kBranch;
  }
};

}  // namespace ravel
