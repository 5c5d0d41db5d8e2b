// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Ravel authors
//
// What a user calls a byte of a variable: ".val", "[].balance", by the debug information. The same names that reports
// of executions have (symbols/variables.h), but for the index of an element, which the analysis does not know.
#pragma once

#include <llvm/IR/GlobalVariable.h>

#include <cstdint>
#include <string>

namespace ravel {

// Behind the name of the variable; ends where a type of the C++ library begins. "+16" where nothing is known.
std::string member_name(const llvm::GlobalVariable& variable, std::int64_t offset);

}  // namespace ravel
