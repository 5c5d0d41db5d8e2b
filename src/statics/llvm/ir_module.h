// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Ravel authors
//
// Bitcode files as one module, prepared: code of system headers is part of the user functions that call it, so that a
// lock or an allocation belongs to the user's statement.
#pragma once

#include <llvm/IR/LLVMContext.h>
#include <llvm/IR/Module.h>

#include <memory>
#include <string>
#include <vector>

namespace ravel {

struct IrModule {
  std::unique_ptr<llvm::LLVMContext> context;  // outlives the module
  std::unique_ptr<llvm::Module> module;
  std::vector<std::string> refused;  // file and reason
};

IrModule load_modules(const std::vector<std::string>& files);
void prepare_module(llvm::Module& module);

}  // namespace ravel
