// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Ravel authors
//
// Text that the tested program controls (messages, names, output) before it reaches a terminal: escape sequences and
// other control characters are removed, so that a program cannot repaint the report.
#pragma once

#include <string>
#include <string_view>

namespace ravel {

// Keeps line breaks and tabs.
std::string printable_text(std::string_view text);
// Line breaks and tabs become blanks as well.
std::string printable_line(std::string_view text);

}  // namespace ravel
