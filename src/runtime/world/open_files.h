// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Ravel authors
//
// Which descriptors share one open file (dup): locks belong to open files, not to descriptors.
#pragma once

#include <cstdint>

namespace ravel::rt {

// Never 0 for a descriptor that can be followed.
std::uint32_t open_file_of(int descriptor);
// 0: nobody has asked for it.
std::uint32_t known_open_file_of(int descriptor);
void note_duplicate(int from, int to);
void forget_descriptor(int descriptor);
bool has_descriptor(std::uint32_t open_file);

}  // namespace ravel::rt
