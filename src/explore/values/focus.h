// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Ravel authors
//
// What a search looks at first: an access of interest, or all accesses of a variable (StaticFacts::focus). Two rounds:
// the first makes only points that are about it, the second all; what the first has run is not counted again.
//
//   an access     points up to where it is executed; behind it only rule 1. So every order between it and its partners
//                 is seen, without the product with what comes later
//   a variable    points whose trigger is an access of it
#pragma once

#include <algorithm>
#include <cstdint>
#include <span>

#include "explore/values/points.h"
#include "explore/values/static_pairs.h"

namespace ravel::values {

class Focus {
 public:
  // The first place is 0 where all accesses of a variable are meant.
  Focus(std::span<const LocationId> places, const StaticPairs& statics) : places_(places), statics_(statics) {}

  [[nodiscard]] bool any() const { return !places_.empty(); }
  [[nodiscard]] bool of_variable() const { return any() && places_.front() == 0; }
  [[nodiscard]] bool is_about(ClassId access) const {
    const LocationId place = any() ? statics_.user_place(access) : LocationId{0};
    return place != 0 && std::binary_search(places_.begin(), places_.end(), place);
  }

 private:
  std::span<const LocationId> places_;
  const StaticPairs& statics_;
};

}  // namespace ravel::values
