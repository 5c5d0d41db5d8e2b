// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Ravel authors
//
// The debug information of a file, kept open. C++17, as everything that includes LLVM's headers.
#pragma once

#include <llvm/DebugInfo/DWARF/DWARFContext.h>
#include <llvm/Object/ObjectFile.h>

#include <memory>
#include <string>
#include <utility>

namespace ravel {

struct DebugFile {
  llvm::object::OwningBinary<llvm::object::ObjectFile> file;
  std::unique_ptr<llvm::DWARFContext> context;  // null: the file cannot be read

  void open(const std::string& path) {
    auto found = llvm::object::ObjectFile::createObjectFile(path);
    if (!found) {
      llvm::consumeError(found.takeError());
      return;
    }
    file = std::move(*found);
    context = llvm::DWARFContext::create(*file.getBinary());
  }
};

}  // namespace ravel
