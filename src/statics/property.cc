// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Ravel authors
#include "statics/property.h"

#include <algorithm>
#include <set>

#include "model/text/words.h"
#include "statics/slices.h"

namespace ravel {
namespace {

struct Comparison {
  std::string_view sign;
  PropertyOp op;
  bool swapped;  // the sides
  std::string_view opposite;
};
constexpr Comparison kComparisons[] = {
    {"==", PropertyOp::kEqual, false, "!="},      {"!=", PropertyOp::kNotEqual, false, "=="},
    {"<", PropertyOp::kLess, false, ">="},        {">", PropertyOp::kLess, true, "<="},
    {"<=", PropertyOp::kLessOrEqual, false, ">"}, {">=", PropertyOp::kLessOrEqual, true, "<"},
};

const Comparison* comparison(std::string_view sign) {
  const auto* found = std::find_if(std::begin(kComparisons), std::end(kComparisons),
                                   [&](const Comparison& one) { return one.sign == sign; });
  return found == std::end(kComparisons) ? nullptr : found;
}

PropertyStep constant(std::int64_t value) {
  const auto bits = static_cast<std::uint64_t>(value);
  return {PropertyOp::kConstant, 8, static_cast<std::uint32_t>(bits), static_cast<std::uint32_t>(bits >> 32)};
}

std::optional<std::int64_t> number_in(std::string_view word) {
  const bool minus = !word.empty() && word[0] == '-';
  const auto value = number_of<std::uint64_t>(word.substr(minus ? 1 : 0), ~std::uint64_t{0} >> 1);
  if (!value) return std::nullopt;
  return minus ? -static_cast<std::int64_t>(*value) : static_cast<std::int64_t>(*value);
}

// Words are separated by blanks; a parenthesis is a word of its own.
class Reader {
 public:
  Reader(std::string_view text, const VariablePlaces& variables) : text_(text), variables_(variables) {}

  // Every step of it is behind `out`; false: cannot be.
  bool value(Properties& out) {
    const std::string_view word = next();
    if (word == "(") {
      if (++depth_ > 8 || !value(out)) return false;
      const std::string_view sign = next();
      if ((sign != "+" && sign != "-") || !value(out) || next() != ")") return false;
      out.push_back({sign == "+" ? PropertyOp::kAdd : PropertyOp::kSubtract, 0, 0, 0});
      return true;
    }
    if (const auto number = number_in(word)) {
      out.push_back(constant(*number));
      return true;
    }
    const auto found = variables_.find(std::string(word));
    if (found == variables_.end()) return false;
    const DataSymbol& at = found->second;
    out.push_back({PropertyOp::kMemory, static_cast<std::uint32_t>(at.size), static_cast<std::uint32_t>(at.offset),
                   static_cast<std::uint32_t>(at.offset >> 32)});
    return true;
  }

  std::string_view next() {
    while (at_ < text_.size() && text_[at_] == ' ') ++at_;
    const std::size_t from = at_;
    if (at_ < text_.size() && (text_[at_] == '(' || text_[at_] == ')')) return text_.substr(at_++, 1);
    while (at_ < text_.size() && text_[at_] != ' ' && text_[at_] != '(' && text_[at_] != ')') ++at_;
    return text_.substr(from, at_ - from);
  }

 private:
  std::string_view text_;
  const VariablePlaces& variables_;
  std::size_t at_ = 0;
  unsigned depth_ = 0;
};

}  // namespace

std::optional<Properties> property_of(std::string_view condition, bool holds, const VariablePlaces& variables) {
  if (!condition.empty() && condition[0] == '!') return property_of(condition.substr(1), !holds, variables);
  Reader reader(condition, variables);
  Properties left;
  Properties right;
  if (!reader.value(left)) return std::nullopt;
  std::string_view sign = reader.next();
  if (sign.empty()) {  // of truth: not 0
    sign = "!=";
    right.push_back(constant(0));
  } else if (!reader.value(right) || !reader.next().empty()) {
    return std::nullopt;
  }
  const Comparison* compare = comparison(sign);
  if (compare != nullptr && !holds) compare = comparison(compare->opposite);
  const auto reads = [](const PropertyStep& step) { return step.op == PropertyOp::kMemory; };
  const bool reads_memory =
      std::any_of(left.begin(), left.end(), reads) || std::any_of(right.begin(), right.end(), reads);
  if (compare == nullptr || !reads_memory) return std::nullopt;
  Properties steps = compare->swapped ? right : left;
  const Properties& second = compare->swapped ? left : right;
  steps.insert(steps.end(), second.begin(), second.end());
  steps.push_back({compare->op, 0, 0, 0});
  return steps;
}

namespace {

// A branch that leads there by both sides decides nothing.
Properties of_slice(const Slice& slice, const VariablePlaces& variables) {
  Properties all;
  for (const SliceGuard& guard : slice.guards) {
    const bool open = std::any_of(slice.guards.begin(), slice.guards.end(), [&](const SliceGuard& other) {
      return other.node == guard.node && other.holds != guard.holds;
    });
    const auto one = open ? std::nullopt : property_of(guard.condition, guard.holds, variables);
    if (!one) continue;
    const bool first = all.empty();
    all.insert(all.end(), one->begin(), one->end());
    if (!first) all.push_back({PropertyOp::kBoth, 0, 0, 0});
  }
  return all;
}

}  // namespace

Properties property_before(const Facts& facts, const std::vector<std::vector<unsigned>>& targets,
                           const VariablePlaces& variables) {
  Properties all;
  for (const std::vector<unsigned>& target : targets) {
    for (const Slice& slice : slices_of(facts, target)) {
      const Properties one = of_slice(slice, variables);
      if (one.empty()) continue;
      const bool first = all.empty();
      all.insert(all.end(), one.begin(), one.end());
      if (!first) all.push_back({PropertyOp::kEither, 0, 0, 0});
    }
  }
  return all;
}

VariablePlaces variables_of(const Facts& facts, const std::string& program) {
  const std::map<std::string, DataSymbol> symbols = data_symbols(program);
  VariablePlaces places;
  std::set<std::string> unclear;
  for (const MemoryPart& part : facts.graph.memory) {
    const std::string name = part.object.substr(0, part.object.rfind('+'));
    const auto symbol = symbols.find(part.begin == 0 ? part.object : name);
    const std::int64_t size = part.end - part.begin;
    if (symbol == symbols.end() || part.begin < 0 || (size != 1 && size != 2 && size != 4 && size != 8)) continue;
    if (static_cast<std::uint64_t>(part.end) > symbol->second.size) continue;
    const DataSymbol place{symbol->second.offset + static_cast<std::uint64_t>(part.begin),
                           static_cast<std::uint64_t>(size)};
    const auto [known, fresh] = places.try_emplace(part.object, place);
    if (!fresh && known->second.size != place.size) unclear.insert(part.object);
  }
  for (const std::string& name : unclear) places.erase(name);
  return places;
}

}  // namespace ravel
