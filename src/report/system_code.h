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

}  // namespace ravel
