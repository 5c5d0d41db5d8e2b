// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Ravel authors
#include "model/text/words.h"

namespace ravel {
namespace {

int hex_digit(char c) {
  if (c >= '0' && c <= '9') return c - '0';
  if (c >= 'a' && c <= 'f') return c - 'a' + 10;
  return -1;
}

// Reads a quoted string that starts at line[at] == '"'; `at` ends behind the closing quote.
std::optional<std::string> read_quoted(std::string_view line, std::size_t& at) {
  std::string text;
  for (++at; at < line.size(); ++at) {
    const char c = line[at];
    if (c == '"') {
      ++at;
      return text;
    }
    if (c != '\\') {
      text += c;
      continue;
    }
    if (++at == line.size()) return std::nullopt;
    if (line[at] == '\\' || line[at] == '"') {
      text += line[at];
    } else if (line[at] == 'n') {
      text += '\n';
    } else if (line[at] == 'x' && at + 2 < line.size()) {
      const int high = hex_digit(line[at + 1]);
      const int low = hex_digit(line[at + 2]);
      if (high < 0 || low < 0) return std::nullopt;
      text += static_cast<char>(high * 16 + low);
      at += 2;
    } else {
      return std::nullopt;
    }
  }
  return std::nullopt;
}

}  // namespace

std::optional<std::vector<Word>> split_words(std::string_view line) {
  std::vector<Word> words;
  std::size_t at = 0;
  while (at < line.size()) {
    const char c = line[at];
    if (c == ' ') {
      ++at;
    } else if (c == '#') {
      break;
    } else if (c == '"') {
      auto text = read_quoted(line, at);
      if (!text || (at < line.size() && line[at] != ' ')) return std::nullopt;
      words.push_back({std::move(*text), true});
    } else {
      const std::size_t start = at;
      while (at < line.size() && line[at] != ' ') {
        if (static_cast<unsigned char>(line[at]) < 0x20 || line[at] == 0x7f || line[at] == '"') return std::nullopt;
        ++at;
      }
      words.push_back({std::string(line.substr(start, at - start)), false});
    }
  }
  return words;
}

std::string quote(std::string_view text) {
  constexpr char kDigits[] = "0123456789abcdef";
  std::string out = "\"";
  for (char c : text) {
    const unsigned char byte = static_cast<unsigned char>(c);
    if (c == '"' || c == '\\') {
      out += '\\';
      out += c;
    } else if (c == '\n') {
      out += "\\n";
    } else if (byte < 0x20 || byte == 0x7f) {
      out += "\\x";
      out += kDigits[byte >> 4];
      out += kDigits[byte & 15];
    } else {
      out += c;
    }
  }
  return out + "\"";
}

}  // namespace ravel
