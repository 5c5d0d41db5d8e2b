// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Ravel authors
//
// The random bytes that the program gets in place of the machine's. Each virtual thread has a stream of its own, a
// function of its lineage only: what one thread draws does not depend on the schedule, nor on what others draw. The
// same in every execution: chance is not what a campaign explores.
#pragma once

#include <cstddef>
#include <cstdint>

namespace ravel::rt {

std::uint64_t next_entropy();
void fill_entropy(void* bytes, std::size_t count);

// What stands for the bytes that the kernel gave to the process (AT_RANDOM).
void replace_kernel_entropy(void* bytes, std::size_t count);

}  // namespace ravel::rt
