// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Ravel authors
#include "model/text/printable.h"

namespace ravel {
namespace {

// Length of the escape sequence that starts at text[0] == ESC: CSI, string sequences up to their end, else two bytes.
std::size_t escape_length(std::string_view text) {
  if (text.size() < 2) return 1;
  if (text[1] == '[') {
    std::size_t i = 2;
    while (i < text.size() && (text[i] < 0x40 || text[i] > 0x7e)) ++i;
    return i < text.size() ? i + 1 : i;
  }
  if (text[1] == ']' || text[1] == 'P' || text[1] == 'X' || text[1] == '^' || text[1] == '_') {
    for (std::size_t i = 2; i < text.size(); ++i) {
      if (text[i] == '\a') return i + 1;
      if (text[i] == '\x1b') return i + 1 < text.size() && text[i + 1] == '\\' ? i + 2 : i;
      if (text[i] == '\n') return i;
    }
    return text.size();
  }
  return 2;
}

std::string cleaned(std::string_view text, bool one_line) {
  std::string out;
  out.reserve(text.size());
  for (std::size_t i = 0; i < text.size();) {
    const unsigned char c = static_cast<unsigned char>(text[i]);
    if (c == 0x1b) {
      i += escape_length(text.substr(i));
      continue;
    }
    if (c == '\n' || c == '\t') {
      out += one_line ? ' ' : static_cast<char>(c);
    } else if (c == 0xc2 && i + 1 < text.size() && static_cast<unsigned char>(text[i + 1]) < 0xa0) {
      ++i;  // a C1 control character in UTF-8
    } else if (c >= 0x20 && c != 0x7f) {
      out += static_cast<char>(c);
    }
    ++i;
  }
  return out;
}

}  // namespace

std::string printable_text(std::string_view text) {
  return cleaned(text, false);
}

std::string printable_line(std::string_view text) {
  return cleaned(text, true);
}

}  // namespace ravel
