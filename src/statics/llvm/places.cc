// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Ravel authors
#include "statics/llvm/places.h"

#include <llvm/ADT/SmallString.h>
#include <llvm/IR/DebugInfoMetadata.h>
#include <llvm/Support/Path.h>

#include "symbols/code_symbols.h"
#include "symbols/symbolizer.h"

namespace ravel {
namespace {

bool is_system(const llvm::DIScope& scope) {
  return is_system_path(normal_path(scope.getDirectory(), scope.getFilename()));
}

const llvm::DILocation* user_frame(const llvm::Instruction& instruction) {
  for (const llvm::DILocation* at = instruction.getDebugLoc().get(); at != nullptr; at = at->getInlinedAt()) {
    if (at->getLine() != 0 && !is_system(*at->getScope())) return at;
  }
  return nullptr;
}

CodePlace place_at(const llvm::DILocation& at) {
  return {normal_path(at.getDirectory(), at.getFilename()), at.getLine(), at.getColumn()};
}

}  // namespace

std::string normal_path(llvm::StringRef folder, llvm::StringRef file) {
  llvm::SmallString<256> path;
  if (!llvm::sys::path::is_absolute(file)) path = folder;
  llvm::sys::path::append(path, file);
  llvm::sys::path::remove_dots(path, true);
  return std::string(path);
}

bool in_system_header(const llvm::Function& function) {
  const llvm::DISubprogram* program = function.getSubprogram();
  if (program == nullptr) return function.hasLinkOnceLinkage();
  return is_system(*program);
}

std::optional<CodePlace> user_place(const llvm::Instruction& instruction) {
  const llvm::DILocation* at = user_frame(instruction);
  if (at == nullptr) return std::nullopt;
  return place_at(*at);
}

std::optional<CodePlace> innermost_place(const llvm::Instruction& instruction) {
  const llvm::DILocation* at = instruction.getDebugLoc().get();
  if (at == nullptr || at->getLine() == 0) return std::nullopt;
  return place_at(*at);
}

std::string readable_name(const llvm::Function& function) {
  return function_name(function.getName().str());
}

std::string user_function(const llvm::Instruction& instruction) {
  const llvm::DILocation* at = user_frame(instruction);
  if (at == nullptr) return readable_name(*instruction.getFunction());
  const llvm::DISubprogram* program = at->getScope()->getSubprogram();
  if (program->getLinkageName().empty()) return program->getName().str();
  return function_name(program->getLinkageName().str());
}

}  // namespace ravel
