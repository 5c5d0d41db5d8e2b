// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Ravel authors
//
// Search in tables that are sorted, without the standard library's algorithms: also inside the tested process.
#pragma once

#include <cstddef>

namespace ravel {

// The first of `size` entries for which below(index) is false; `size` if it is true for all. It is true for a beginning
// of the table and false for the rest.
template <class Below>
constexpr std::size_t first_not(std::size_t size, Below&& below) {
  std::size_t low = 0;
  std::size_t high = size;
  while (low < high) {
    const std::size_t middle = low + (high - low) / 2;
    if (below(middle)) {
      low = middle + 1;
    } else {
      high = middle;
    }
  }
  return low;
}

}  // namespace ravel
