// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Ravel authors
//
// Which code of a program comes from headers of the system: the engine, which has no symbols, finds the user's own
// place by it.
#pragma once

#include <string>
#include <vector>

#include "model/tables.h"

namespace ravel {

// By start; neighbours are joined.
std::vector<CodeRange> find_system_code(const std::string& program);
// The same by the names of functions alone, which is quick: what the user wrote and was compiled into a function of the
// library counts as the library's.
std::vector<CodeRange> find_library_code(const std::string& program);

}  // namespace ravel
