// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Ravel authors
#include "model/text/valid_text.h"

#include <fmt/format.h>

#include <algorithm>

#include "model/sequence.h"
#include "model/text/near_names.h"
#include "model/text/words.h"

namespace ravel {

constexpr std::string_view kStatements[] = {"event", "expression", "start", "move", "end", "result"};
constexpr std::uint32_t kMaxStates = 1u << 14;

class ValidParser {
 public:
  ValidParser(std::string_view text, const std::string& file) : text_(text), file_(file) {}

  Result<Validity> run() {
    if (text_.size() > kMaxValidBytes) return usage_error("the file is too large", file_);
    while (!text_.empty()) {
      const std::size_t end = std::min(text_.find('\n'), text_.size());
      ++line_;
      if (!take_line(text_.substr(0, end))) return tl::make_unexpected(error_);
      text_.remove_prefix(std::min(end + 1, text_.size()));
    }
    if (!versioned_) return bad("`ravel-valid 1'", "the end"), tl::make_unexpected(error_);
    if (valid_.names_.empty()) return bad("an `event' line", "none"), tl::make_unexpected(error_);
    if (!has_expression_ && states_.empty())
      return bad("`expression', or `move' lines", "none"), tl::make_unexpected(error_);
    if (!has_expression_ && !has_start_) return bad("a `start' line", "none"), tl::make_unexpected(error_);
    return std::move(valid_);
  }

 private:
  bool bad(const std::string& expected, const std::string& found, const std::string& hint = "") {
    error_ = Error{ErrorKind::kUsage, fmt::format("{}:{}: expected {}", file_, line_, expected), found, hint};
    return false;
  }

  bool take_line(std::string_view text) {
    const auto words = split_words(text);
    if (!words) return bad("words", "an open quote or a control character");
    words_ = *words;
    if (words_.empty()) return true;
    if (!versioned_) {
      versioned_ = words_.size() == 2 && words_[0].text == "ravel-valid" && words_[1].text == "1";
      return versioned_ || bad("`ravel-valid 1'", words_[0].text);
    }
    const std::string& what = words_[0].text;
    if (what == "event") return event();
    if (what == "expression") return expression();
    if (what == "result") {
      if (words_.size() != 3) return bad("`result NAME VALUE'", "another number of words");
      valid_.results_[words_[1].text] = words_[2].text;
      return true;
    }
    if (what == "start" || what == "move" || what == "end") return table(what);
    return bad("a statement", what, near_hint(what, kStatements, ""));
  }

  bool event() {
    if (words_.size() != 4) return bad("`event NAME OPERATION OBJECT'", "another number of words");
    if (is_name(words_[1].text)) return bad("a name that is not taken", words_[1].text);
    Validity::Name name{words_[1].text, OpKind::kNone, words_[3].text};
    std::vector<std::string_view> known;
    for (std::size_t i = 0; i < static_cast<std::size_t>(OpKind::kCount); ++i) {
      const auto kind = static_cast<OpKind>(i);
      if (!is_listed_event(kind)) continue;
      known.push_back(op_name(kind));
      if (op_name(kind) == words_[2].text) name.kind = kind;
    }
    if (name.kind == OpKind::kNone) {
      return bad("an operation such as rendezvous, lock or mark", words_[2].text, near_hint(words_[2].text, known, ""));
    }
    valid_.names_.push_back(name);
    return true;
  }

  [[nodiscard]] bool is_name(const std::string& text) const {
    return std::any_of(valid_.names_.begin(), valid_.names_.end(), [&](const auto& name) { return name.name == text; });
  }
  bool unknown(const std::string& name) {
    std::vector<std::string_view> known;
    for (const auto& one : valid_.names_) known.push_back(one.name);
    return bad("a name given by `event'", name, near_hint(name, known, ""));
  }

  std::uint32_t state(const std::string& name) {
    const auto [at, fresh] = states_.try_emplace(name, next_);
    if (fresh) ++next_;
    return at->second;
  }
  bool table(const std::string& what) {
    if (has_expression_) return bad("an expression or a table", "both");
    if (words_.size() != (what == "move" ? 4 : 2))
      return bad("`start STATE', `move STATE NAME STATE' or `end STATE'", "another number of words");
    if (next_ >= kMaxStates) return bad("fewer states", words_[1].text);
    if (what == "move" && !is_name(words_[2].text)) return unknown(words_[2].text);
    const std::uint32_t from = state(words_[1].text);
    if (what == "end") valid_.ends_.insert(from);
    if (what == "start") {
      if (has_start_) return bad("one `start'", "another");
      has_start_ = true;
      valid_.start_ = from;
    }
    if (what == "move") valid_.moves_.emplace(from, std::pair(words_[2].text, state(words_[3].text)));
    return true;
  }

  // An expression becomes states with one beginning and one end.
  struct Part {
    std::uint32_t first;
    std::uint32_t last;
  };
  void link(std::uint32_t from, std::uint32_t to, const std::string& name = "") {
    valid_.moves_.emplace(from, std::pair(name, to));
  }
  bool expression() {
    if (has_expression_ || !states_.empty()) return bad("one expression, or a table", "another");
    has_expression_ = true;
    for (std::size_t i = 1; i < words_.size(); ++i) split(words_[i].text);
    Part all{};
    if (!alternatives(all, 0)) return false;
    if (at_ != tokens_.size()) return bad("the end of the expression", tokens_[at_]);
    valid_.start_ = all.first;
    valid_.ends_ = {all.last};
    return true;
  }
  void split(const std::string& word) {
    constexpr std::string_view kSigns = "()|*+?";
    std::string name;
    for (const char c : word) {
      if (kSigns.find(c) == std::string_view::npos) {
        name += c;
        continue;
      }
      if (!name.empty()) tokens_.push_back(std::exchange(name, ""));
      tokens_.emplace_back(1, c);
    }
    if (!name.empty()) tokens_.push_back(name);
  }
  [[nodiscard]] bool next_is(char sign) const { return at_ < tokens_.size() && tokens_[at_] == std::string(1, sign); }

  bool alternatives(Part& out, int depth) {
    if (depth > 200 || next_ >= kMaxStates) return bad("a smaller expression", "one that is too large");
    out = {next_, next_ + 1};
    next_ += 2;
    do {
      Part one{};
      if (!sequence(one, depth)) return false;
      link(out.first, one.first);
      link(one.last, out.last);
    } while (next_is('|') && ++at_ != 0);
    return true;
  }
  bool sequence(Part& out, int depth) {
    out = {next_, next_};
    ++next_;
    while (at_ < tokens_.size() && !next_is('|') && !next_is(')')) {
      Part one{};
      if (!repeated(one, depth)) return false;
      link(out.last, one.first);
      out.last = one.last;
    }
    return true;
  }
  bool repeated(Part& out, int depth) {
    if (next_is('(')) {
      ++at_;
      if (!alternatives(out, depth + 1)) return false;
      if (!next_is(')')) return bad("`)'", at_ < tokens_.size() ? tokens_[at_] : "the end");
    } else {
      if (!is_name(tokens_[at_])) return unknown(tokens_[at_]);
      out = {next_, next_ + 1};
      next_ += 2;
      link(out.first, out.last, tokens_[at_]);
    }
    ++at_;
    for (; next_is('*') || next_is('+') || next_is('?'); ++at_) {
      if (!next_is('?')) link(out.last, out.first);
      if (!next_is('+')) link(out.first, out.last);
    }
    return next_ < kMaxStates || bad("a smaller expression", "one that is too large");
  }

  std::string_view text_;
  const std::string& file_;
  std::vector<Word> words_;
  std::vector<std::string> tokens_;  // of the expression
  std::size_t at_ = 0;
  std::map<std::string, std::uint32_t> states_;
  std::uint32_t next_ = 0;
  std::uint32_t line_ = 0;
  bool versioned_ = false;
  bool has_expression_ = false;
  bool has_start_ = false;
  Validity valid_;
  Error error_;
};

Result<Validity> Validity::parse(std::string_view text, const std::string& file) {
  return ValidParser(text, file).run();
}

Validity::States Validity::closed(States states) const {
  std::vector<std::uint32_t> open(states.begin(), states.end());
  while (!open.empty()) {
    const std::uint32_t from = open.back();
    open.pop_back();
    const auto [first, last] = moves_.equal_range(from);
    for (auto move = first; move != last; ++move) {
      if (move->second.first.empty() && states.insert(move->second.second).second) open.push_back(move->second.second);
    }
  }
  return states;
}

Validity::States Validity::after(const States& states, const std::string& name) const {
  States out;
  for (const std::uint32_t from : states) {
    const auto [first, last] = moves_.equal_range(from);
    for (auto move = first; move != last; ++move) {
      if (move->second.first == name) out.insert(move->second.second);
    }
  }
  return closed(std::move(out));
}

bool Validity::ends_in(const States& states) const {
  return std::any_of(states.begin(), states.end(), [&](std::uint32_t state) { return ends_.count(state) != 0; });
}

bool Validity::allows(const ValidWord& word) const {
  States states = begin();
  for (const std::string& name : word) states = after(states, name);
  return ends_in(states);
}

void Validity::extend(const States& states, Orders& orders) const {
  if (states.empty() || ++orders.steps > kMostSteps || orders.out.size() > kMostOrders) return;
  bool done = true;
  for (auto& [name, count] : orders.left) {
    if (count == 0) continue;
    done = false;
    --count;
    orders.begun.push_back(name);
    extend(after(states, name), orders);
    orders.begun.pop_back();
    ++count;
  }
  if (done && ends_in(states)) orders.out.push_back(orders.begun);
}

std::vector<ValidWord> Validity::orders_of(const ValidWord& word, bool& all) const {
  Orders orders;
  for (const std::string& name : word) ++orders.left[name];
  extend(begin(), orders);
  all = all && orders.steps <= kMostSteps && orders.out.size() <= kMostOrders;
  return std::move(orders.out);
}

}  // namespace ravel
