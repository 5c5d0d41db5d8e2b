// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Ravel authors
//
// The reader of value-schedule files: words with their columns, one function per statement; then orders that contradict
// each other are looked for.
#include <algorithm>
#include <map>
#include <set>

#include "model/text/near_names.h"
#include "model/text/test_file_parser.h"
#include "model/text/value_schedule.h"
#include "semantics/effects.h"

namespace ravel {
namespace {

using Token = LineWord;

constexpr std::string_view kStatements[] = {"program", "arg", "stdin", "thread", "orders", "expect"};
constexpr const char* kArrows = "`->', `->def', `->acq' or `->wakes'";
constexpr std::size_t kMostWord = 1024;
constexpr std::size_t kMostNames = 4096;
constexpr std::uint32_t kMostInstance = 1u << 30;

class Parser : TestFileParser<LineWord> {
 public:
  Parser(std::string_view text, const std::string& name) : TestFileParser(name), text_(text) {}

  Result<ValuesFile> run() {
    if (text_.size() > kMaxValuesBytes) return usage_error("too large for a file of value schedules", name_);
    if (!for_each_line(text_, [this](std::string_view line) { return split(line) && statement(); }))
      return tl::make_unexpected(error_);
    if (!versioned_) (void)bad(1, "`ravel-values 1'", "the end of the file");
    if (!versioned_ || !check_expectation(file_.expect, "order", file_.orders.size()) || !check_cycles()) {
      return tl::make_unexpected(error_);
    }
    return std::move(file_);
  }

 private:
  // A comment begins with `#' where a word could, unless a digit follows: that is an instance.
  bool split(std::string_view line) {
    std::size_t at = 0;
    for (;;) {
      while (at < line.size() && is_blank(line[at])) ++at;
      const bool number = at + 1 < line.size() && line[at + 1] >= '0' && line[at + 1] <= '9';
      if (at == line.size() || (line[at] == '#' && !number)) return true;
      if (!read_word(line, at)) return false;
    }
  }
  bool read_word(std::string_view line, std::size_t& at) {
    Token token;
    token.column = at + 1;
    const std::size_t begin = at;
    if (line[at] == '"') {
      if (!read_quoted(line, at, token)) return false;
      if (at < line.size() && !is_blank(line[at])) return bad(at + 1, "a blank behind the string", "more");
    } else {
      while (at < line.size() && !is_blank(line[at])) {
        if (static_cast<unsigned char>(line[at]) < 0x20 || line[at] == '"')
          return bad(at + 1, "text", "something else");
        ++at;
      }
      token.text = std::string(line.substr(begin, at - begin));
    }
    if (token.text.empty() || token.text.size() > kMostWord) return bad(token.column, "1 to 1024 characters", "other");
    words_.push_back(std::move(token));
    return true;
  }

  bool statement() {
    if (words_.empty()) return true;
    if (!versioned_) return version("ravel-values", kValuesFormatVersion);
    if (!words_[0].quoted && words_[0].text == "expect") {
      return expectation(file_.expect, "order", kMaxValueOrders);
    }
    return ordered_ ? order() : header();
  }

  bool header() {
    const std::string& what = words_[0].text;
    if (what == "orders") {
      ordered_ = true;
      return too_many(1);
    }
    if (words_.size() < 2 && index_of(kStatements, what)) return missing("a value");
    if (what == "program") return field(file_.program);
    if (what == "stdin") return field(file_.stdin_path);
    if (what == "arg") return argument(file_.arguments);
    if (what == "thread") return thread(file_.threads, kMostNames);
    return bad(words_[0], "a statement", near_hint(what, kStatements, "orders come behind `orders'"));
  }

  // ACCESS ->|->def|->acq|->wakes ACCESS
  bool order() {
    ValueOrder order;
    order.line = line_;
    std::size_t at = 0;
    if (!access(order.first, at)) return false;
    if (at == words_.size()) return missing(kArrows);
    const Token& arrow = words_[at];
    const auto relation = arrow.quoted ? std::nullopt : index_of(kRelationNames, arrow.text);
    if (!relation) return bad(arrow, kArrows);
    order.relation = static_cast<ValueRelation>(*relation);
    const std::size_t second = ++at;
    if (!access(order.second, at) || !too_many(at) || !fits(order, arrow, second)) return false;
    if (file_.orders.size() == kMaxValueOrders) return bad(1, "at most 16384 orders", "more");
    file_.orders.push_back(std::move(order));
    return true;
  }

  bool fits(const ValueOrder& order, const Token& arrow, std::size_t second) {
    if (lineage_meant(file_, order.first.thread) == lineage_meant(file_, order.second.thread)) {
      return bad(words_[second], "another thread", "a thread's own accesses come in the order of its program");
    }
    if (order.relation == ValueRelation::kDefines &&
        !(has_write_effect(order.first.kind, 0) && has_read_effect(order.second.kind))) {
      return bad(arrow, "a write before `->def' and a read behind it");
    }
    if (order.relation == ValueRelation::kWakes &&
        !(order.first.kind == OpKind::kCondSignal && order.second.kind == OpKind::kCondReacquire)) {
      return bad(arrow, "a signal before `->wakes' and a reacquire behind it");
    }
    return order.relation != ValueRelation::kHandsOn ||
           (takes_lock(order.first.kind) && takes_lock(order.second.kind)) ||
           bad(arrow, "operations that take a lock on both sides of `->acq'");
  }

  bool is_end(std::size_t at) const {
    return at >= words_.size() || (!words_[at].quoted && words_[at].text.substr(0, 2) == "->");
  }

  // THREAD OPERATION [OBJECT] PLACE [#N] [from PLACE]
  bool access(ValueAccess& access, std::size_t& at) {
    if (is_end(at)) return at < words_.size() ? bad(words_[at], "a thread") : missing("a thread");
    if (!thread_name(words_[at], access.thread)) return false;
    if (is_end(++at)) return at < words_.size() ? bad(words_[at], "an operation") : missing("an operation");
    if (!operation(words_[at], access.kind)) return false;
    if (is_end(++at)) return at < words_.size() ? bad(words_[at], "FILE:LINE") : missing("FILE:LINE");
    SourceLine line;
    const bool alone = is_end(at + 1) || (reads_line(words_[at], line) && !reads_line(words_[at + 1], line));
    if (!alone) access.object = words_[at++].text;
    if (!source_line(words_[at++], access.place)) return false;
    if (!is_end(at) && !words_[at].quoted && words_[at].text[0] == '#') {
      const auto number = number_of<std::uint32_t>(std::string_view(words_[at].text).substr(1), kMostInstance);
      if (!number || *number == 0) return bad(words_[at], "#N, from 1");
      access.instance = *number;
      ++at;
    }
    if (!is_end(at) && !words_[at].quoted && words_[at].text == "from") {
      if (is_end(++at)) return at < words_.size() ? bad(words_[at], "FILE:LINE") : missing("FILE:LINE");
      if (!source_line(words_[at++], access.from)) return false;
    }
    return is_end(at) || bad(words_[at], kArrows);
  }

  bool thread_name(const Token& token, std::string& name) {
    name = token.text;
    std::vector<std::string_view> names;
    for (const auto& known : file_.threads) {
      if (known.first == name) return true;
      names.push_back(known.first);
    }
    return is_lineage(name) || bad(token, "a thread: a lineage such as main.1, or a name of `thread'",
                                   near_hint(name, names, "thread NAME LINEAGE gives names"));
  }

  bool operation(const Token& token, OpKind& kind) {
    std::vector<std::string_view> names;
    for (std::size_t i = 0; i < static_cast<std::size_t>(OpKind::kCount); ++i) {
      const auto one = static_cast<OpKind>(i);
      if (!is_value_operation(one)) continue;
      names.push_back(op_name(one));
      if (op_name(one) != token.text || token.quoted) continue;
      kind = one;
      return true;
    }
    return bad(token, "an operation such as read, write or lock", near_hint(token.text, names, ""));
  }

  static bool reads_line(const Token& token, SourceLine& line) {
    const std::size_t colon = token.text.rfind(':');
    if (colon == std::string::npos || colon == 0) return false;
    const auto number = number_of<std::uint32_t>(std::string_view(token.text).substr(colon + 1), 1u << 28);
    if (!number || *number == 0) return false;
    line = {token.text.substr(0, colon), *number};
    return true;
  }
  bool source_line(const Token& token, SourceLine& line) { return reads_line(token, line) || bad(token, "FILE:LINE"); }

  // Orders and the program's own order of one access' instances.
  bool check_cycles() {
    for (const ValueOrder& order : file_.orders) {
      const std::size_t from = node(order.first);
      const std::size_t to = node(order.second);
      edges_[from].push_back({to, order.line});
    }
    for (const auto& [access, instances] : instances_) {
      for (auto next = std::next(instances.begin()), it = instances.begin(); next != instances.end(); ++next, ++it) {
        edges_[it->second].push_back({next->second, 0});
      }
    }
    state_.assign(edges_.size(), 0);
    for (std::size_t i = 0; i < edges_.size(); ++i) {
      if (state_[i] == 0 && !walk(i)) return false;
    }
    return true;
  }

  std::size_t node(const ValueAccess& access) {
    ValueAccess any = access;
    any.thread = lineage_meant(file_, access.thread);
    any.instance = 1;
    auto& of_access = instances_[access_text(any)];
    const auto [known, fresh] = of_access.emplace(access.instance, edges_.size());
    if (fresh) {
      edges_.emplace_back();
      accesses_.push_back(access);
    }
    return known->second;
  }

  // Without recursion: files are long.
  bool walk(std::size_t start) {
    std::vector<std::pair<std::size_t, std::size_t>> stack = {{start, 0}};
    state_[start] = 1;
    while (!stack.empty()) {
      auto& [at, next] = stack.back();
      if (next == edges_[at].size()) {
        state_[at] = 2;
        stack.pop_back();
        continue;
      }
      const Edge edge = edges_[at][next++];
      if (state_[edge.to] == 1) return show_cycle(stack, edge);
      if (state_[edge.to] == 2) continue;
      state_[edge.to] = 1;
      stack.emplace_back(edge.to, 0);
    }
    return true;
  }

  struct Edge {
    std::size_t to = 0;
    std::uint32_t line = 0;  // 0: of the program
  };

  bool show_cycle(const std::vector<std::pair<std::size_t, std::size_t>>& stack, const Edge& last) {
    std::size_t begin = 0;
    while (stack[begin].first != last.to) ++begin;
    std::string cycle;
    std::uint32_t line = last.line;
    for (std::size_t i = begin; i < stack.size(); ++i) {
      const Edge& edge = edges_[stack[i].first][stack[i].second - 1];
      cycle += access_text(accesses_[stack[i].first]) + " -> ";
      line = std::max(line, edge.line);
    }
    line_ = line;
    return bad(1, "orders that do not contradict each other", "a cycle: " + cycle + access_text(accesses_[last.to]));
  }

  std::string_view text_;
  ValuesFile file_;
  bool ordered_ = false;
  std::map<std::string, std::map<std::uint32_t, std::size_t>> instances_;
  std::vector<std::vector<Edge>> edges_;
  std::vector<ValueAccess> accesses_;
  std::vector<char> state_;
};

}  // namespace

Result<ValuesFile> parse_values(std::string_view text, const std::string& name) {
  return Parser(text, name).run();
}

}  // namespace ravel
