// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Ravel authors
//
// Libraries that belong to the system: their lines are nobody's business, whatever their debug information says.
#pragma once

#include <string_view>

namespace ravel {

[[nodiscard]] inline bool is_system_library(std::string_view path) {
  const bool shared = path.find(".so") != std::string_view::npos;
  return shared && (path.substr(0, 4) == "/lib" || path.substr(0, 8) == "/usr/lib");
}

}  // namespace ravel
