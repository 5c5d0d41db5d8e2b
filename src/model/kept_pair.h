// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Ravel authors
//
// What executions have shown of one pair of accesses, as it is kept for later runs of the same build
// (docs/adr/0120). A hint: a search plans by it and proves nothing by it.
#pragma once

#include <cstdint>

#include "model/event.h"
#include "model/sequence.h"

namespace ravel {

enum class PairVerdict : std::uint32_t {
  kSeen,        // they conflict, and static facts do not know it
  kRefuted,     // static facts call them a pair; both were seen, and never on the same thing
  kNotReached,  // the second access: planned for again and again, and never executed; the first one is empty
  kCount
};
inline constexpr const char* kPairVerdictNames[] = {"seen", "refuted", "not-reached"};

// The access of a thread, in whatever calling context.
struct KeptAccess {
  std::uint32_t thread = 0;  // thread_key()
  LocationId location = 0;
  OpKind kind = OpKind::kNone;
  std::uint8_t pad[3] = {};

  [[nodiscard]] constexpr std::uint64_t key() const { return std::uint64_t{thread} << 32 | location.number(); }
};

struct KeptPair {
  KeptAccess first;
  KeptAccess second;
  PairVerdict verdict = PairVerdict::kSeen;
};

// The same in all executions of a program.
constexpr std::uint32_t thread_key(LastingName name) {
  return static_cast<std::uint32_t>(name ^ name >> 32);
}

inline constexpr std::uint32_t kMostKeptPairs = 1u << 13;

// What a search hands over. It may be ended at any moment: `count` is 0 while the rows are being written.
struct KeptPairTable {
  std::uint32_t count = 0;
  KeptPair rows[kMostKeptPairs];
};

}  // namespace ravel
