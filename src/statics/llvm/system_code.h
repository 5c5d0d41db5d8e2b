// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Ravel authors
//
// Code of system headers becomes part of the user functions that call it, callees first, each simplified before it is
// copied. Copies multiply along paths of calls: where all of it would be too much, the largest functions stay calls.
// Their operations then belong to every user statement that leads to them: less precise, never less complete.
#pragma once

#include <llvm/IR/Module.h>

namespace ravel {

void inline_system_code(llvm::Module& module);

}  // namespace ravel
