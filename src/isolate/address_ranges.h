// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Ravel authors
//
// The private writable memory of this process, from /proc/self/maps: all that an execution can change and no other
// process sees.
#pragma once

#include <cstddef>
#include <cstdint>

namespace ravel {

struct AddressRange {
  std::uintptr_t begin = 0;
  std::uintptr_t end = 0;
  bool of_file = false;  // untouched pages read as the file says, not as zero
};

// Fills `out`; yields how many there are, more than `capacity` if they did not fit, 0 when /proc cannot be read.
std::size_t private_writable_ranges(AddressRange* out, std::size_t capacity);

}  // namespace ravel
