// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Ravel authors
//
// The reader of sequence files: words with their columns, one function per statement, and the list that the lists by
// thread or object amount to.
#include <algorithm>
#include <map>

#include "model/text/near_names.h"
#include "model/text/syn_text.h"
#include "model/text/test_file_parser.h"

namespace ravel {
namespace {

struct Token : LineWord {
  bool comma = false;        // behind it
  bool colon = false;        // behind it, at the end of the word
  std::uint32_t number = 0;  // behind `#'; 0: none
};
std::string whole_text(const Token& token) {
  return token.text + (token.number != 0 ? "#" + std::to_string(token.number) : "") + (token.colon ? ":" : "");
}

constexpr std::string_view kStatements[] = {"program", "arg",    "stdin", "thread", "object", "specification",
                                            "assumed", "events", "only",  "order",  "expect"};

class Parser : TestFileParser<Token> {
 public:
  Parser(std::string_view text, const std::string& name) : TestFileParser(name), text_(text) {}

  Result<SynFile> run() {
    if (text_.size() > kMaxSynBytes) return usage_error("too large for a sequence file", name_);
    if (!for_each_line(text_, [this](std::string_view line) { return split(line) && statement(); }))
      return tl::make_unexpected(error_);
    if (!versioned_) return stop(1, "`ravel-syn 1'", "the end of the file");
    if (!ordered_ && !file_.events.empty()) return stop(1, "`order total', `order thread' or `order object'", "none");
    if (file_.form != SynForm::kTotal && !merge_lists()) return tl::make_unexpected(error_);
    if (file_.form == SynForm::kTotal) number_events(file_.events);
    // One behind the last event: the program goes on.
    if (!check_expectation(file_.expect, "event", file_.events.size() + 1)) return tl::make_unexpected(error_);
    return std::move(file_);
  }

 private:
  tl::unexpected<Error> stop(std::size_t column, std::string expected, std::string found) {
    (void)bad(column, std::move(expected), std::move(found));
    return tl::make_unexpected(error_);
  }
  // A comment begins with `#' where a word could: inside a word it is a number.
  bool split(std::string_view line) {
    std::size_t at = 0;
    for (;;) {
      while (at < line.size() && is_blank(line[at])) ++at;
      if (at == line.size() || line[at] == '#') return true;
      if (!read_word(line, at)) return false;
    }
  }

  bool read_word(std::string_view line, std::size_t& at) {
    Token token;
    token.column = at + 1;
    if (line[at] == ',') return bad(token.column, "a word", "`,'");
    if (line[at] == '"' && !read_quoted(line, at, token)) return false;
    const std::size_t begin = at;
    while (at < line.size() && !is_blank(line[at]) && line[at] != ',' && line[at] != '"') {
      if (static_cast<unsigned char>(line[at]) < 0x20) return bad(at + 1, "text", "a control character");
      ++at;
    }
    if (!finish_word(token, line.substr(begin, at - begin))) return false;
    while (at < line.size() && is_blank(line[at])) ++at;
    if (at < line.size() && line[at] == ',') {
      token.comma = true;
      ++at;
    }
    words_.push_back(std::move(token));
    return true;
  }

  // The word that is read is what a program prints: `expect output "..."'.
  [[nodiscard]] bool is_output_text() const {
    return words_.size() == 2 && words_[0].text == "expect" && words_[1].text == "output";
  }
  // What follows a quoted name, or a bare word: `#N' and `:' at its end are not part of the name.
  bool finish_word(Token& token, std::string_view rest) {
    if (!rest.empty() && rest.back() == ':') {
      token.colon = true;
      rest.remove_suffix(1);
    }
    const std::size_t hash = rest.rfind('#');
    if (hash != std::string_view::npos) {
      const auto number = number_of<std::uint32_t>(rest.substr(hash + 1), kMaxSequence);
      if (number && *number != 0) {
        token.number = *number;
        rest = rest.substr(0, hash);
      }
    }
    if (token.quoted && !rest.empty()) return bad(token.column, "a blank behind the string", quote(rest));
    token.text += rest;
    const bool output = is_output_text();
    if (token.text.empty() && !(output && token.quoted)) return bad(token.column, "a name", "nothing");
    if (output && token.text.size() > kMaxSynOutput) return bad(token.column, "a shorter text", "more than 32 KiB");
    return output || token.text.size() <= kMaxSynName ||
           bad(token.column, "a shorter word", "more than 512 characters");
  }

  bool statement() {
    if (words_.empty()) return true;
    if (!versioned_) return version("ravel-syn", kSynFormatVersion);
    const Token& first = words_[0];
    if (first.text == "..." && words_.size() == 1 && !first.quoted) return ellipsis();
    if (!first.quoted && !first.colon && first.number == 0) {
      if (first.text == "expect") return expected();
      if (first.text == "order" && !ordered_) return order();
      if (!ordered_) return header();
      if (first.text == "order") return bad(first, "an event", "the order is given once");
    }
    if (!ordered_) return bad(first, "a statement");
    if (file_.open) return bad(first, "`expect' or the end of the file", "`...' ends the events");
    return file_.form == SynForm::kTotal ? event() : list();
  }

  bool header() {
    const std::string& what = words_[0].text;
    if (words_.size() < 2 && index_of(kStatements, what)) return missing("a value");
    if (what == "program") return field(file_.program);
    if (what == "stdin") return field(file_.stdin_path);
    if (what == "specification") return field(file_.specification);
    if (what == "assumed") return field(file_.assumed);
    if (what == "events") return detail();
    if (what == "arg") return argument(file_.arguments);
    if (what == "thread") return thread(file_.threads, kMaxSequence);
    if (what == "object") return alias(file_.objects, kMaxSequence, "an object", [](std::string_view) { return true; });
    if (what == "only") {
      for (std::size_t i = 1; i < words_.size(); ++i) file_.only.push_back(whole_text(words_[i]));
      return file_.only.size() <= kMaxSequence || bad(words_[0], "fewer objects");
    }
    return bad(words_[0], "a statement", near_hint(what, kStatements, "events come behind `order'"));
  }

  bool order() {
    if (words_.size() < 2) return missing("total, thread or object");
    const auto form = index_of(kSynFormNames, words_[1].text);
    if (!form) return bad(words_[1], "total, thread or object", near_hint(words_[1].text, kSynFormNames, ""));
    file_.form = static_cast<SynForm>(*form);
    ordered_ = true;
    return too_many(2);
  }

  bool detail() {
    if (file_.detail) return bad(words_[0], "one `events'");
    const auto found = index_of(kSynDetailNames, words_[1].text);
    if (!found) return bad(words_[1], "simple or complete", near_hint(words_[1].text, kSynDetailNames, ""));
    file_.detail = static_cast<SynDetail>(*found);
    return too_many(2);
  }
  // Does the event at this word say as much as `events' has announced?
  bool check_detail(const SynEvent& event, std::size_t at) {
    if (!file_.detail) return true;
    const bool bare = event.kind == OpKind::kNone && event.port.empty() && event.ending == SequenceEnding::kAny;
    const bool by_list = file_.form != SynForm::kTotal;  // which says the object in any case
    if (*file_.detail == SynDetail::kSimple) {
      return (bare && (by_list || event.object.empty())) || bad(words_[at], "the thread alone, by `events simple'");
    }
    const bool whole = event.kind != OpKind::kNone && !(event.object.empty() && event.port.empty());
    return whole || bad(words_[at], "thread, operation and object, by `events complete'");
  }

  // What `ravel syn test' is to find.
  bool expected() {
    const std::string word = words_.size() < 2 || words_[1].quoted ? "" : words_[1].text;
    if (word == "output") {
      expected_line_ = line_;
      if (file_.expect.output) return bad(words_[1], "one output");
      if (words_.size() < 3) return missing("the output in quotes");
      const Token& text = words_[2];
      if (!text.quoted || text.number != 0 || text.colon || text.comma) return bad(text, "the output in quotes");
      file_.expect.output = text.text;
      return too_many(3);
    }
    if (word == "valid" || word == "invalid") {
      expected_line_ = line_;
      if (file_.expect.valid) return bad(words_[1], "one of valid and invalid");
      file_.expect.valid = word == "valid";
      return too_many(2);
    }
    return expectation(file_.expect, "event", kMaxSequence,
                       "feasible, infeasible, output, valid, invalid or an outcome");
  }

  bool ellipsis() {
    if (!ordered_ || file_.open) return bad(words_[0], ordered_ ? "one `...'" : "`order' before the events");
    file_.open = true;
    return true;
  }

  // [OPERATION [OBJECT]] [ENDING] from word `at` on; `object` says whether an object may stand there.
  bool operation(SynEvent& event, std::size_t& at, std::size_t end, bool object) {
    if (at < end && !is_ending(words_[at])) {
      if (!find_kind(words_[at], event.kind)) return false;
      ++at;
      const bool port = (event.kind == OpKind::kMeet || event.kind == OpKind::kSelect) && at < end;
      if (port) event.port = whole_text(words_[at++]);
      if (!port && object && at < end && (words_[at].quoted || !is_ending(words_[at])))
        event.object = whole_text(words_[at++]);
    }
    if (at < end && is_ending(words_[at])) {
      const std::string& how = words_[at].text;
      if (how == "lost") event.lost = true;
      if (how == "failed") event.ending = SequenceEnding::kFails;
      if (how == "ok") event.ending = SequenceEnding::kSucceeds;
      if (how == "wakes") {
        if (++at == end) return missing("the thread that is woken");
        event.woken = words_[at].text;
      }
      const bool signal = event.kind == OpKind::kCondSignal;
      if ((how == "lost" || how == "wakes") && !signal) return bad(words_[at], "`" + how + "' behind a signal");
      ++at;
    }
    return at == end || bad(words_[at], object ? "the end of the line" : "`,' or the end of the line");
  }
  static bool is_ending(const Token& token) {
    return !token.quoted &&
           (token.text == "lost" || token.text == "failed" || token.text == "ok" || token.text == "wakes");
  }
  bool find_kind(const Token& token, OpKind& kind) {
    std::vector<std::string_view> names;
    for (std::size_t i = 0; i < static_cast<std::size_t>(OpKind::kCount); ++i) {
      const auto one = static_cast<OpKind>(i);
      if (!is_listed_event(one)) continue;
      names.push_back(op_name(one));
      if (op_name(one) != token.text || token.quoted) continue;
      kind = one;
      return true;
    }
    return bad(token, "an operation such as lock, wait or signal", near_hint(token.text, names, ""));
  }

  bool event() {
    SynEvent event;
    event.line = line_;
    event.thread = words_[0].text;
    if (words_[0].number != 0 || words_[0].colon)
      return bad(words_[0], "a thread", "this form is `order thread' or `order object'");
    for (const Token& token : words_) {
      if (token.comma) return bad(token, "one event per line");
    }
    std::size_t at = 1;
    if (is(words_.back(), OpKind::kSelect) && words_.size() > 1) {
      return selected(event) && check_detail(event, 0) && add(std::move(event));
    }
    const bool meets = is(words_.back(), OpKind::kMeet) && words_.size() > 2;
    return (meets ? rendezvous(event) : operation(event, at, words_.size(), true)) && check_detail(event, 0) &&
           add(std::move(event));
  }

  static bool is(const Token& token, OpKind kind) { return !token.quoted && token.text == op_name(kind); }

  // [RECEIVER] PORT select
  bool selected(SynEvent& event) {
    if (words_.size() > 3) return bad(words_[2], "`select'");
    event.kind = OpKind::kSelect;
    if (words_.size() == 3) {
      event.receiver = words_[0].text;
      event.object = inbox_name(event.receiver);
    }
    event.thread = event.port = whole_text(words_[words_.size() - 2]);
    return true;
  }

  // THREAD [RECEIVER] PORT rendezvous
  bool rendezvous(SynEvent& event) {
    if (words_.size() > 4) return bad(words_[3], "`rendezvous'");
    event.kind = OpKind::kMeet;
    if (words_.size() == 4) {
      event.receiver = words_[1].text;
      event.object = inbox_name(event.receiver);
    }
    event.port = whole_text(words_[words_.size() - 2]);
    return true;
  }

  bool list() {
    const bool by_thread = file_.form == SynForm::kThread;
    const Token& owner = words_[0];
    if (!owner.colon || owner.number != 0) return bad(owner, by_thread ? "`THREAD:'" : "`OBJECT:'");
    if (words_.size() == 1) return missing(by_thread ? "OBJECT#N" : "THREAD#N");
    for (std::size_t at = 1; at < words_.size();) {
      SynEvent event;
      event.line = line_;
      const Token& other = words_[at];
      if (other.number == 0) return bad(other, by_thread ? "OBJECT#N" : "THREAD#N");
      event.thread = by_thread ? owner.text : other.text;
      event.object = by_thread ? other.text : owner.text;
      (by_thread ? event.object_number : event.thread_number) = other.number;
      std::size_t end = at;
      while (end < words_.size() && !words_[end].comma) ++end;
      end = std::min(end + 1, words_.size());
      const std::size_t named = at++;
      if (!operation(event, at, end, false) || !check_detail(event, named)) return false;
      const std::string inbox = inbox_name("");
      if (!event.port.empty() && event.object.rfind(inbox, 0) == 0) event.receiver = event.object.substr(inbox.size());
      if (!add(std::move(event))) return false;
    }
    return !words_.back().comma || missing("an event behind the `,'");
  }

  bool add(SynEvent event) {
    if (file_.events.size() == kMaxSequence) return bad(1, "at most 16384 events", "more");
    file_.events.push_back(std::move(event));
    return true;
  }

  // Lists become one list: an event can be taken when it is the next of its own list and the numbers say that it is the
  // next of the other.
  bool merge_lists() {
    const bool by_thread = file_.form == SynForm::kThread;
    std::vector<std::vector<std::size_t>> lists;
    std::map<std::string, std::size_t> list_of;
    for (std::size_t i = 0; i < file_.events.size(); ++i) {
      const SynEvent& event = file_.events[i];
      const auto [at, fresh] = list_of.try_emplace(by_thread ? event.thread : event.object, lists.size());
      if (fresh) lists.emplace_back();
      lists[at->second].push_back(i);
    }
    std::vector<std::size_t> next(lists.size());
    std::map<std::string, std::uint32_t> done;
    std::vector<SynEvent> merged;
    for (bool went_on = true; went_on;) {
      went_on = false;
      for (std::size_t l = 0; l < lists.size(); ++l) {
        while (next[l] < lists[l].size()) {
          const SynEvent& event = file_.events[lists[l][next[l]]];
          std::uint32_t& count = done[by_thread ? event.object : event.thread];
          if ((by_thread ? event.object_number : event.thread_number) != count + 1) break;
          ++count;
          ++next[l];
          merged.push_back(event);
          went_on = true;
        }
      }
    }
    for (std::size_t l = 0; l < lists.size(); ++l) {
      if (next[l] == lists[l].size()) continue;
      const SynEvent& event = file_.events[lists[l][next[l]]];
      line_ = event.line;
      return bad(1, "numbers without gaps that do not contradict each other",
                 (by_thread ? event.object : event.thread) + "#" +
                     std::to_string(by_thread ? event.object_number : event.thread_number));
    }
    file_.events = std::move(merged);
    number_events(file_.events);
    return true;
  }

  std::string_view text_;
  bool ordered_ = false;
  SynFile file_;
};

}  // namespace

Result<SynFile> parse_syn(std::string_view text, const std::string& name) {
  return Parser(text, name).run();
}

}  // namespace ravel
