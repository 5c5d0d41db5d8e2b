// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Ravel authors
//
// Reads machine code: the runtime finds bytes that look like an instruction, here it is decided whether they are one.
#pragma once

#include <cstdint>
#include <string>

namespace ravel {

// The mnemonic of the instruction of `path` that covers `address` (as linked), found by decoding its function from the
// start. Empty when the function is not known.
std::string instruction_at(const std::string& path, std::uint64_t address);

}  // namespace ravel
