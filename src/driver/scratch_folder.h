// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Ravel authors
//
// A private folder (mode 0700) below TMPDIR or /tmp, removed with all that is in it when the object goes.
#pragma once

#include <string>

#include "model/text/result.h"

namespace ravel {

class ScratchFolder {
 public:
  ScratchFolder() = default;
  ScratchFolder(const ScratchFolder&) = delete;
  ScratchFolder& operator=(const ScratchFolder&) = delete;
  ~ScratchFolder();

  Result<void> make();
  [[nodiscard]] const std::string& path() const { return path_; }  // empty: not made

 private:
  std::string path_;
};

}  // namespace ravel
