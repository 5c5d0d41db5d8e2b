// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Ravel authors
#include "driver/scratch_folder.h"

#include <cerrno>
#include <cstdlib>
#include <cstring>
#include <filesystem>

#include "wire/campaign.h"

namespace ravel {

ScratchFolder::~ScratchFolder() {
  if (path_.empty()) return;
  std::error_code ignored;  // what the program has made unremovable stays
  std::filesystem::remove_all(path_, ignored);
}

Result<void> ScratchFolder::make() {
  const char* base = std::getenv("TMPDIR");
  std::string pattern = std::string(base != nullptr && *base == '/' ? base : "/tmp") + "/ravel-XXXXXX";
  if (pattern.size() >= sizeof(Campaign::scratch))
    return usage_error("the path of the temporary folder is too long", pattern);
  if (mkdtemp(pattern.data()) == nullptr) {
    return usage_error("cannot make a scratch folder", pattern, std::strerror(errno));
  }
  path_ = pattern;
  return {};
}

}  // namespace ravel
