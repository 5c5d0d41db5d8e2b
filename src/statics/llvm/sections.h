// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Ravel authors
//
// A section of an ELF file by name.
#pragma once

#include <string>

namespace ravel {

// Empty: no such section, or no such file.
std::string section_text(const std::string& path, const std::string& name);

}  // namespace ravel
