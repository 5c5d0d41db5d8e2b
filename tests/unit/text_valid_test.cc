// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Ravel authors
#include <gtest/gtest.h>

#include <algorithm>

#include "model/text/valid_text.h"

namespace ravel {
namespace {

constexpr char kNames[] = "ravel-valid 1\nevent a lock m\nevent b unlock m\nevent c mark here\n";

Validity of(const std::string& rest) {
  auto valid = Validity::parse(kNames + rest, "v");
  EXPECT_TRUE(valid.has_value()) << (valid ? "" : valid.error().line());
  return valid ? *valid : Validity{};
}
ValidWord word(const std::string& text) {
  ValidWord out;
  for (const char c : text) out.emplace_back(1, c);
  return out;
}

// Against the definition, on all words up to six letters.
void expect_language(const Validity& valid, bool (*is_in)(const std::string&)) {
  std::vector<std::string> words = {""};
  for (std::size_t i = 0; i < words.size(); ++i) {
    EXPECT_EQ(valid.allows(word(words[i])), is_in(words[i])) << words[i];
    if (words[i].size() == 6) continue;
    for (const char c : {'a', 'b', 'c'}) words.push_back(words[i] + c);
  }
}

TEST(ValidText, Expressions) {
  expect_language(of("expression (a b)*\n"), [](const std::string& w) {
    std::string copy = w;
    while (copy.substr(0, 2) == "ab") copy.erase(0, 2);
    return copy.empty();
  });
  expect_language(of("expression (a|b)+ c?\n"), [](const std::string& w) {
    const std::string front = !w.empty() && w.back() == 'c' ? w.substr(0, w.size() - 1) : w;
    return !front.empty() && front.find('c') == std::string::npos;
  });
  expect_language(of("expression ()\n"), [](const std::string& w) { return w.empty(); });
}

TEST(ValidText, Tables) {
  expect_language(of("start 0\nmove 0 a 1\nmove 1 b 0\nend 0\n"), [](const std::string& w) {
    for (std::size_t i = 0; i < w.size(); ++i) {
      if (w[i] != "ab"[i % 2]) return false;
    }
    return w.size() % 2 == 0;
  });
}

TEST(ValidText, OrdersOfTheSameEvents) {
  bool all = true;
  const auto orders = of("expression (a|b|c)*\n").orders_of(word("aabc"), all);
  EXPECT_TRUE(all);
  EXPECT_EQ(orders.size(), 12u);
  EXPECT_EQ(of("expression (a b)*\n").orders_of(word("abab"), all).size(), 1u);
  EXPECT_TRUE(all);
  (void)of("expression (a|b|c)*\n").orders_of(word("aaaaaaaabbbbbbbbcccccccc"), all);
  EXPECT_FALSE(all);
}

TEST(ValidText, Mistakes) {
  const auto complaint = [](const std::string& text) {
    const auto valid = Validity::parse(text, "v");
    return valid ? std::string() : valid.error().line();
  };
  EXPECT_NE(complaint("").find("ravel-valid 1"), std::string::npos);
  EXPECT_NE(complaint("ravel-valid 1\n").find("event"), std::string::npos);
  EXPECT_NE(complaint(std::string(kNames) + "expression a )\n").find("v:5"), std::string::npos);
  EXPECT_NE(complaint(std::string(kNames) + "expression *\n").find("v:5"), std::string::npos);
  EXPECT_NE(complaint(std::string(kNames) + "expression a d\n").find("a name given by"), std::string::npos);
  EXPECT_NE(complaint(std::string(kNames) + "move 0 a 1\n").find("start"), std::string::npos);
  EXPECT_NE(complaint(std::string(kNames) + "start 0\nexpression a\n").find("table"), std::string::npos);
  EXPECT_NE(complaint(std::string(kNames) + "expression " + std::string(500, '(') + "\n").find("smaller"),
            std::string::npos);
}

}  // namespace
}  // namespace ravel
