// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Ravel authors
//
// Where an instruction stands in the sources: the innermost frame that is the user's, as reports name places.
#pragma once

#include <llvm/IR/Function.h>
#include <llvm/IR/Instruction.h>

#include <optional>
#include <string>

#include "statics/facts.h"

namespace ravel {

// Without "." and ".." and joined with the compile folder.
std::string normal_path(llvm::StringRef folder, llvm::StringRef file);
bool in_system_header(const llvm::Function& function);
// Nothing: no frame of the instruction is the user's, or it has no line.
std::optional<CodePlace> user_place(const llvm::Instruction& instruction);
// The instruction's own place, whoever's code it is. Nothing: it has no line.
std::optional<CodePlace> innermost_place(const llvm::Instruction& instruction);
// The user function that holds the place, readable: "Account::deposit".
std::string user_function(const llvm::Instruction& instruction);
std::string readable_name(const llvm::Function& function);

}  // namespace ravel
