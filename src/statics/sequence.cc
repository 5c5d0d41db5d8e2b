// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Ravel authors
#include "statics/sequence.h"

#include <fmt/format.h>

#include <fstream>

#include "model/text/words.h"
#include "statics/place_word.h"

namespace ravel {
namespace {

constexpr char kHow[] = "a place is file.cpp:12, file.cpp:12:5, file.cpp:12#2, function+3 or the name of a mark";
constexpr std::size_t kMostBytes = 1u << 16;

Result<SequencePlace> parse_one(std::string word) {
  SequencePlace one;
  one.text = word;
  if (word.size() > 2 && word[word.size() - 2] == '@') {
    const char letter = word.back();
    if (letter < 'A' || letter >= 'A' + static_cast<char>(kMaxGoalRoles) - 1)
      return usage_error("bad thread of a place", word, "@A to @G");
    one.role = static_cast<unsigned>(letter - 'A') + 1;
    word.resize(word.size() - 2);
  }
  if (const std::size_t hash = word.rfind('#'); hash != std::string::npos) {
    const auto number = number_of<unsigned>(word.substr(hash + 1), 1000);
    if (!number || *number == 0)
      return usage_error("bad number of an operation", one.text, "#1 is the first of a line");
    one.ordinal = *number;
    word.resize(hash);
  }
  if (const auto place = parse_place(word)) {
    one.place = *place;
    return one;
  }
  const std::size_t plus = word.rfind('+');
  const auto line =
      plus == std::string::npos || plus == 0 ? std::nullopt : number_of<unsigned>(word.substr(plus + 1), 1u << 20);
  if (line) {
    one.function = word.substr(0, plus);
    one.place.line = *line;
    return one;
  }
  if (word.empty() || word.find_first_of(":/ \t") != std::string::npos)
    return usage_error("not a place", one.text, kHow);
  one.mark = word;
  return one;
}

}  // namespace

Result<LocationSequence> parse_sequence(const std::string& text) {
  LocationSequence sequence;
  std::size_t start = 0;
  while (start <= text.size()) {
    std::size_t end = text.find_first_of(",\n", start);
    if (end == std::string::npos) end = text.size();
    std::string word = text.substr(start, end - start);
    const auto from = word.find_first_not_of(" \t\r");
    word = from == std::string::npos ? "" : word.substr(from, word.find_last_not_of(" \t\r") - from + 1);
    start = end + 1;
    if (word.empty() && end == text.size() && !sequence.empty()) break;
    auto one = parse_one(word);
    if (!one) return tl::make_unexpected(one.error());
    if (sequence.size() == kMaxGoalEntries)
      return usage_error("the sequence is too long", word, fmt::format("at most {} places", kMaxGoalEntries));
    sequence.push_back(std::move(*one));
  }
  return sequence;
}

Result<LocationSequence> read_sequence(const std::string& file) {
  std::ifstream in(file);
  if (!in) return usage_error("cannot read the sequence", file);
  std::string all;
  std::string line;
  while (std::getline(in, line)) {
    if (const std::size_t comment = line.find(" #"); comment != std::string::npos) line.resize(comment);
    const std::size_t from = line.find_first_not_of(" \t\r");
    if (from == std::string::npos || line[from] == '#') continue;
    all += (all.empty() ? "" : ",") + line;
    if (all.size() > kMostBytes) return usage_error("the sequence is too long", file);
  }
  if (all.empty()) return usage_error("the sequence has no places", file, kHow);
  auto sequence = parse_sequence(all);
  if (!sequence) sequence.error().where = file + ": " + sequence.error().where;
  return sequence;
}

std::string sequence_text(const LocationSequence& sequence) {
  std::string text;
  for (const SequencePlace& one : sequence) text += (text.empty() ? "" : ",") + one.text;
  return text;
}

}  // namespace ravel
