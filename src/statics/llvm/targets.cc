// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Ravel authors
#include "statics/llvm/targets.h"

#include <llvm/IR/InstIterator.h>

#include <set>
#include <unordered_map>

#include "statics/llvm/places.h"

namespace ravel {
namespace {

const char* kind_of(llvm::StringRef name) {
  if (name == "__assert_fail" || name == "__assert" || name == "__assert_perror_fail") return "assert";
  if (name == "abort" || name == "_ZSt9terminatev" || name == "__builtin_trap" || name.startswith("llvm.trap"))
    return "abort";
  if (name == "__cxa_throw" || name == "__cxa_rethrow") return "throw";
  if (name.startswith("ravel_fail") || name.startswith("ravel_check")) return "check";
  return nullptr;
}

}  // namespace

std::vector<StaticTarget> find_targets(const PointerModel& model) {
  std::set<std::tuple<CodePlace, std::string, std::string>> found;
  std::unordered_map<const llvm::Function*, const char*> kinds;
  for (const llvm::Function* function : model.functions()) {
    for (const llvm::Instruction& instruction : llvm::instructions(*function)) {
      const auto* call = llvm::dyn_cast<llvm::CallBase>(&instruction);
      if (call == nullptr) continue;
      for (const llvm::Function* callee : model.callees(*call)) {
        const auto [known, fresh] = kinds.try_emplace(callee, nullptr);
        if (fresh) known->second = kind_of(callee->getName());
        if (known->second == nullptr) continue;
        if (const auto place = user_place(instruction))
          found.emplace(*place, known->second, user_function(instruction));
      }
    }
  }
  std::vector<StaticTarget> targets;
  for (const auto& [place, kind, function] : found) targets.push_back({kind, place, function});
  return targets;
}

}  // namespace ravel
