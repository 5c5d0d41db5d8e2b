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

constexpr std::string_view kReplacement = "\xef\xbf\xbd";

// Length of the well-formed character at the start of `text`; 0: there is none.
std::size_t character_length(std::string_view text) {
  const auto byte = [&](std::size_t i) { return static_cast<unsigned char>(text[i]); };
  const unsigned char lead = byte(0);
  if (lead < 0x80) return 1;
  std::size_t length = 0;
  unsigned char low = 0x80;
  unsigned char high = 0xbf;
  if (lead >= 0xc2 && lead <= 0xdf) {
    length = 2;
  } else if (lead >= 0xe0 && lead <= 0xef) {
    length = 3;
    if (lead == 0xe0) low = 0xa0;
    if (lead == 0xed) high = 0x9f;  // surrogates
  } else if (lead >= 0xf0 && lead <= 0xf4) {
    length = 4;
    if (lead == 0xf0) low = 0x90;
    if (lead == 0xf4) high = 0x8f;
  }
  if (length == 0 || text.size() < length || byte(1) < low || byte(1) > high) return 0;
  for (std::size_t i = 2; i < length; ++i) {
    if (byte(i) < 0x80 || byte(i) > 0xbf) return 0;
  }
  return length;
}

// Marks that change the direction of the text behind them (U+202A to U+202E, U+2066 to U+2069).
bool turns_direction(std::string_view character) {
  return (character >= "\xe2\x80\xaa" && character <= "\xe2\x80\xae") ||
         (character >= "\xe2\x81\xa6" && character <= "\xe2\x81\xa9");
}

bool ends_line(std::string_view character) {
  return character == "\xe2\x80\xa8" || character == "\xe2\x80\xa9";
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
    } else if (c >= 0x80) {
      const std::size_t length = character_length(text.substr(i));
      const std::string_view character = text.substr(i, length);
      const bool is_control = c == 0xc2 && length == 2 && static_cast<unsigned char>(text[i + 1]) < 0xa0;
      if (length == 0) {
        out += kReplacement;
      } else if (ends_line(character)) {
        out += ' ';
      } else if (!is_control && !turns_direction(character)) {
        out += character;
      }
      i += length == 0 ? 1 : length;
      continue;
    } else if (c >= 0x20 && c != 0x7f) {
      out += static_cast<char>(c);
    }
    ++i;
  }
  return out;
}

}  // namespace

std::string valid_utf8(std::string_view text) {
  std::string out;
  out.reserve(text.size());
  while (!text.empty()) {
    const std::size_t length = character_length(text);
    out += length == 0 ? kReplacement : text.substr(0, length);
    text.remove_prefix(length == 0 ? 1 : length);
  }
  return out;
}

std::string printable_text(std::string_view text) {
  return cleaned(text, false);
}

std::string printable_line(std::string_view text) {
  return cleaned(text, true);
}

}  // namespace ravel
