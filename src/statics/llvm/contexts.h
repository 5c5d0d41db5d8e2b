// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Ravel authors
//
// One level of calling context: a user function that several statements call becomes one copy per call, callees first,
// so that `deposit(a)` and `deposit(b)` lock and touch different objects. Later analyses see ordinary functions.
#pragma once

#include <llvm/IR/Module.h>

#include <map>

#include "statics/facts.h"

namespace ravel {

struct FunctionContext {
  const llvm::Function* original = nullptr;
  CodePlace call;  // line 0: not distinguished
};

using FunctionContexts = std::map<const llvm::Function*, FunctionContext>;

FunctionContexts copy_by_call_site(llvm::Module& module);

}  // namespace ravel
