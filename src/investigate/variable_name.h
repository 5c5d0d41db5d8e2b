// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Ravel authors
//
// Whether an object, as traces and facts name it, is the variable that a user means.
#pragma once

#include <string>
#include <string_view>

namespace ravel {

inline std::string without_unnamed(std::string name) {
  constexpr std::string_view kUnnamed = "(anonymous namespace)::";
  for (std::size_t at = name.find(kUnnamed); at != std::string::npos; at = name.find(kUnnamed))
    name.erase(at, kUnnamed.size());
  return name;
}

// `X' means X.val and ns::X too.
inline bool is_variable(const std::string& object, const std::string& variable) {
  const std::string known = without_unnamed(object);
  for (std::size_t from = known.find(variable); from != std::string::npos; from = known.find(variable, from + 1)) {
    const std::size_t end = from + variable.size();
    const bool begins = from == 0 || (from >= 2 && known.compare(from - 2, 2, "::") == 0);
    const bool ends = end == known.size() || std::string_view(".+[@").find(known[end]) != std::string_view::npos;
    if (begins && ends) return true;
  }
  return false;
}

}  // namespace ravel
