// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Ravel authors
//
// Where the global variables of an ELF file are.
#pragma once

#include <cstdint>
#include <map>
#include <string>

namespace ravel {

struct DataSymbol {
  std::uint64_t offset = 0;  // from where the file is mapped
  std::uint64_t size = 0;
};

// By readable name, "ns::x". Names that several variables have are left out; of a file that cannot be read: nothing.
std::map<std::string, DataSymbol> data_symbols(const std::string& path);

}  // namespace ravel
