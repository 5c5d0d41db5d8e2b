// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Ravel authors
//
// Mapped memory that the program gives back: what is mapped at the same addresses later is another object, so accesses
// to the one have nothing to do with accesses to the other.
#pragma once

#include <cstdint>

namespace ravel::rt {

// [begin, begin + bytes) was unmapped.
void forget_mapping(std::uintptr_t begin, std::uintptr_t bytes);

}  // namespace ravel::rt
