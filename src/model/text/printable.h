// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Ravel authors
//
// Text that the tested program controls (messages, names, output) before it reaches a terminal: escape sequences,
// control characters and marks that turn the direction of writing are removed, so that a program cannot repaint the
// report. Bytes that are not UTF-8 become U+FFFD: some of them are control characters to some terminals.
#pragma once

#include <string>
#include <string_view>

namespace ravel {

std::string valid_utf8(std::string_view text);
// Keeps line breaks and tabs.
std::string printable_text(std::string_view text);
// Line breaks and tabs become blanks as well.
std::string printable_line(std::string_view text);

}  // namespace ravel
