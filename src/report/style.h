// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Ravel authors
//
// Colours of the console report; a Style that is off writes nothing.
#pragma once

#include <fmt/format.h>

#include <string>
#include <string_view>

namespace ravel {

struct Style {
  bool on = false;

  [[nodiscard]] std::string bad(std::string_view text) const { return paint("1;31", text); }
  [[nodiscard]] std::string good(std::string_view text) const { return paint("1;32", text); }
  [[nodiscard]] std::string warn(std::string_view text) const { return paint("1;33", text); }
  [[nodiscard]] std::string faint(std::string_view text) const { return paint("2", text); }
  [[nodiscard]] std::string thread(std::string_view text, unsigned index) const {
    static constexpr std::string_view kColors[] = {"36", "33", "35", "32", "34", "31"};
    return paint(kColors[index % 6], text);
  }

 private:
  [[nodiscard]] std::string paint(std::string_view code, std::string_view text) const {
    return on ? fmt::format("\x1b[{}m{}\x1b[0m", code, text) : std::string(text);
  }
};

}  // namespace ravel
