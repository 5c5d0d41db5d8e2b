// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Ravel authors
//
// What earlier runs of the same build have shown of pairs, to be asked by access. A copy: whoever resumes the campaign
// may have another table. Nothing here decides what is covered: a conflict that is seen joins the pairs in any case,
// and a pair of this list that never conflicts only costs goals that are dropped.
#pragma once

#include <cstdint>
#include <memory_resource>
#include <span>

#include "model/kept_pair.h"

namespace ravel::values {

class KeptPairs {
 public:
  KeptPairs(std::pmr::memory_resource& memory, std::span<const KeptPair> rows);

  [[nodiscard]] std::span<const KeptPair> rows() const { return {rows_, count_}; }
  // It was planned for too often; or, with `trigger`, the two were never about the same thing.
  [[nodiscard]] bool is_ruled_out(const KeptAccess& trigger, const KeptAccess& target) const;
  // Calls `visit` with each access that conflicted with this one.
  template <class Visit>
  void visit_conflicts(const KeptAccess& access, Visit&& visit) const {
    for (const KeptPair& row : rows()) {
      if (row.verdict != PairVerdict::kSeen) continue;
      if (is_same(row.first, access)) visit(row.second);
      if (is_same(row.second, access)) visit(row.first);
    }
  }

 private:
  static bool is_same(const KeptAccess& a, const KeptAccess& b) { return a.key() == b.key() && a.kind == b.kind; }

  KeptPair* rows_ = nullptr;
  std::uint32_t count_ = 0;
};

}  // namespace ravel::values
