// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Ravel authors
#include "report/formats/escape.h"

#include <fmt/format.h>

namespace ravel {
namespace {

std::string github_escaped(std::string_view text, std::string_view special) {
  std::string out;
  for (const char c : printable_text(text)) {
    if (special.find(c) != std::string_view::npos) {
      out += fmt::format("%{:02X}", static_cast<unsigned char>(c));
    } else {
      out += c;
    }
  }
  return out;
}

}  // namespace

std::string shortened(std::string_view text, std::size_t limit) {
  if (text.size() <= limit) return std::string(text);
  std::size_t end = limit > 3 ? limit - 3 : 0;
  while (end > 0 && (static_cast<unsigned char>(text[end]) & 0xc0) == 0x80) --end;
  return std::string(text.substr(0, end)) + "...";
}

std::string shell_word(std::string_view text) {
  constexpr std::string_view kPlain = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-._/+,:=@%";
  const std::string line = printable_line(text);
  if (!line.empty() && line.find_first_not_of(kPlain) == std::string::npos) return line;
  std::string out = "'";
  for (const char c : line) out += c == '\'' ? std::string("'\\''") : std::string(1, c);
  return out + "'";
}

std::string xml_escaped(std::string_view text) {
  std::string out;
  const std::string clean = printable_text(text);
  for (std::size_t i = 0; i < clean.size(); ++i) {
    const auto c = static_cast<unsigned char>(clean[i]);
    switch (c) {
      case '&':
        out += "&amp;";
        break;
      case '<':
        out += "&lt;";
        break;
      case '>':
        out += "&gt;";
        break;
      case '"':
        out += "&quot;";
        break;
      case '\'':
        out += "&apos;";
        break;
      case 0xef:
        // U+FFFE and U+FFFF are no characters of XML.
        if (clean[i + 1] == '\xbf' && (clean[i + 2] == '\xbe' || clean[i + 2] == '\xbf')) {
          i += 2;
          break;
        }
        out += clean[i];
        break;
      default:
        if (c >= 0x20 || c == '\n' || c == '\t') out += clean[i];
    }
  }
  return out;
}

std::string github_text(std::string_view text) {
  return github_escaped(text, "%\r\n");
}

std::string github_property(std::string_view text) {
  return github_escaped(text, "%\r\n:,");
}

std::string uri_path(std::string_view path) {
  constexpr std::string_view kAllowed =
      "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-._~/!$&'()*+,;=@";
  std::string out;
  for (const char c : path) {
    if (kAllowed.find(c) != std::string_view::npos) {
      out += c;
    } else {
      out += fmt::format("%{:02X}", static_cast<unsigned char>(c));
    }
  }
  return out;
}

std::string json_in_html(std::string_view json) {
  std::string out;
  out.reserve(json.size() + json.size() / 64);
  for (const char c : json) {
    if (c == '<') {
      out += "\\u003c";
    } else if (c == '>') {
      out += "\\u003e";
    } else if (c == '&') {
      out += "\\u0026";
    } else {
      out += c;
    }
  }
  return out;
}

}  // namespace ravel
