// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Ravel authors
#include "model/text/near_names.h"

#include <algorithm>
#include <numeric>

namespace ravel {
namespace {

std::size_t edit_distance(std::string_view a, std::string_view b) {
  std::vector<std::size_t> row(b.size() + 1);
  std::iota(row.begin(), row.end(), std::size_t{0});
  for (std::size_t i = 0; i < a.size(); ++i) {
    std::size_t diagonal = row[0];
    row[0] = i + 1;
    for (std::size_t j = 0; j < b.size(); ++j) {
      const std::size_t changed = diagonal + (a[i] == b[j] ? 0 : 1);
      diagonal = row[j + 1];
      row[j + 1] = std::min({row[j + 1] + 1, row[j] + 1, changed});
    }
  }
  return row.back();
}

}  // namespace

std::vector<std::string_view> near_names(std::string_view word, std::span<const std::string_view> names) {
  if (word.size() > 64) return {};
  std::vector<std::pair<std::size_t, std::string_view>> scored;
  for (std::string_view name : names) {
    const bool starts = word.size() >= 2 && name.substr(0, word.size()) == word;
    const std::size_t distance = starts ? 0 : edit_distance(word, name);
    if (distance <= std::max<std::size_t>(1, std::max(word.size(), name.size()) / 3))
      scored.emplace_back(distance, name);
  }
  std::stable_sort(scored.begin(), scored.end(), [](const auto& a, const auto& b) { return a.first < b.first; });
  std::vector<std::string_view> near;
  for (std::size_t i = 0; i < scored.size() && i < 3; ++i) near.push_back(scored[i].second);
  return near;
}

std::string near_hint(std::string_view word, std::span<const std::string_view> names, std::string_view otherwise) {
  const auto near = near_names(word, names);
  if (near.empty()) return std::string(otherwise);
  std::string text = "did you mean ";
  for (std::size_t i = 0; i < near.size(); ++i) {
    if (i > 0) text += i + 1 == near.size() ? " or " : ", ";
    text += "`" + std::string(near[i]) + "'";
  }
  return text + "?";
}

}  // namespace ravel
