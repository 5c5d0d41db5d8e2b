// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Ravel authors
#include "statics/llvm/sections.h"

#include <llvm/Object/ObjectFile.h>

namespace ravel {

std::string section_text(const std::string& path, const std::string& name) {
  auto file = llvm::object::ObjectFile::createObjectFile(path);
  if (!file) {
    llvm::consumeError(file.takeError());
    return {};
  }
  for (const llvm::object::SectionRef& section : file->getBinary()->sections()) {
    auto found = section.getName();
    if (!found) {
      llvm::consumeError(found.takeError());
      continue;
    }
    if (*found != name) continue;
    auto contents = section.getContents();
    if (contents) return contents->str();
    llvm::consumeError(contents.takeError());
  }
  return {};
}

}  // namespace ravel
