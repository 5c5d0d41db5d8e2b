// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Ravel authors
//
// Reading the text form: a line is words; each word is looked at once, with its column at hand for the error.
#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <cstring>
#include <optional>
#include <unordered_map>

#include "model/text/trace_text.h"
#include "model/text/trace_words.h"

namespace ravel {
namespace {

// Names that the program chose are shown as they are, bytes that a terminal would obey are not.
std::string quoted(std::string_view word) {
  if (word.empty()) return "the end of the line";
  std::string text = "`";
  for (const char c : word.substr(0, 40)) {
    text += static_cast<unsigned char>(c) < 0x20 || c == 0x7f ? '.' : c;
  }
  return text + (word.size() > 40 ? "...'" : "'");
}

class Parser {
 public:
  Parser(std::string_view text, const TraceLimits& limits) : text_(text), limits_(limits), trace_(empty_trace()) {
    threads_.emplace("main", 0);
    objects_.emplace("?", 0);
  }

  tl::expected<Trace, TraceTextError> run() {
    if (text_.size() > limits_.bytes) {
      fail("at most {} bytes", limits_.bytes);
      return tl::unexpected(error_);
    }
    while (!text_.empty() && !failed_) {
      ++line_number_;
      const std::size_t end = text_.find('\n');
      line_ = text_.substr(0, end);
      text_ = end == std::string_view::npos ? std::string_view{} : text_.substr(end + 1);
      if (!line_.empty() && line_.back() == '\r') line_.remove_suffix(1);
      at_ = 0;
      if (line_.size() > limits_.line) {
        fail("a line of at most {} bytes", limits_.line);
        break;
      }
      next();
      if (!word_.empty() && word_[0] != '#') statement();
    }
    if (failed_) return tl::unexpected(error_);
    return std::move(trace_);
  }

 private:
  template <class... Args>
  bool fail(fmt::format_string<Args...> expected, Args&&... args) {
    if (failed_) return false;
    failed_ = true;
    error_.line = line_number_;
    error_.column = column_;
    error_.message =
        fmt::format("expected {}, found {}", fmt::format(expected, std::forward<Args>(args)...), quoted(word_));
    return false;
  }

  // The next word, empty at the end of the line or before a comment.
  void next() {
    while (at_ < line_.size() && (line_[at_] == ' ' || line_[at_] == '\t')) ++at_;
    column_ = at_ + 1;
    const std::size_t begin = at_;
    while (at_ < line_.size() && line_[at_] != ' ' && line_[at_] != '\t') ++at_;
    word_ = line_.substr(begin, at_ - begin);
    if (word_.substr(0, 2) == "//") {
      word_ = {};
      at_ = line_.size();
    }
  }

  bool accept(std::string_view word) {
    if (word_ != word) return false;
    next();
    return true;
  }

  template <class T>
  bool number(std::string_view word, T& value, std::string_view what) {
    int base = 10;
    if (word.substr(0, 2) == "0x") {
      base = 16;
      word.remove_prefix(2);
    }
    std::uint64_t wide = 0;
    const auto [end, status] = std::from_chars(word.data(), word.data() + word.size(), wide, base);
    if (word.empty() || status != std::errc{} || end != word.data() + word.size() || static_cast<T>(wide) != wide) {
      return fail("{} (a number of at most {} bits)", what, sizeof(T) * 8);
    }
    value = static_cast<T>(wide);
    return true;
  }
  template <class T>
  bool number_word(T& value, std::string_view what) {
    if (!number(word_, value, what)) return false;
    next();
    return true;
  }

  void statement() {
    if (accept("location")) {
      LocationId ignored = 0;
      if (!named_location(ignored)) return;
    } else if (accept("thread")) {
      if (!thread_line()) return;
    } else if (accept("object")) {
      if (!object_line()) return;
    } else if (!event_line()) {
      return;
    }
    if (!word_.empty()) fail("the end of the line");
  }

  bool known_thread(ThreadIndex& index, std::string_view what) {
    const auto found = threads_.find(std::string(word_));
    if (found == threads_.end()) return fail("{}", what);
    index = found->second;
    next();
    return true;
  }

  bool new_thread(const ThreadRecord& record, ThreadIndex& index) {
    if (!is_trace_name(word_)) return fail("a name for a thread");
    if (trace_.threads.size() >= limits_.threads) return fail("at most {} threads", limits_.threads);
    index = static_cast<ThreadIndex>(trace_.threads.size());
    trace_.threads.push_back(record);
    trace_.thread_names.emplace_back(word_);
    threads_.emplace(word_, index);
    next();
    return true;
  }

  bool created_thread(ThreadIndex parent, ThreadIndex& index) {
    if (threads_.contains(std::string(word_))) return known_thread(index, "a thread");
    ThreadRecord record;
    record.parent = parent;
    record.ordinal = ++children_[parent];
    return new_thread(record, index);
  }

  bool object_name(ObjectId& id, std::string_view name) {
    if (const auto found = objects_.find(std::string(name)); found != objects_.end()) {
      id = found->second;
      return true;
    }
    if (!is_trace_name(name)) return fail("an object, a size, a memory order, a flag, `=', `@' or `in'");
    if (trace_.objects.size() >= limits_.objects) return fail("at most {} objects", limits_.objects);
    id = static_cast<ObjectId>(trace_.objects.size());
    trace_.objects.push_back(implied_object(id));
    trace_.object_names.emplace_back(name);
    objects_.emplace(name, id);
    return true;
  }

  bool place(ObjectId& object, std::uint32_t& offset) {
    const std::size_t plus = word_.find('+');
    if (!object_name(object, word_.substr(0, plus))) return false;
    if (plus != std::string_view::npos && !number(word_.substr(plus + 1), offset, "an offset behind `+'")) return false;
    next();
    return true;
  }

  bool named_location(LocationId& id) {
    const bool plain = std::none_of(word_.begin(), word_.end(), [](unsigned char c) { return c <= ' ' || c == 0x7f; });
    if (word_.empty() || word_[0] == '#' || word_.size() > limits_.name || !plain) {
      return fail("a location such as file.cpp:12");
    }
    const auto [entry, fresh] = locations_.try_emplace(std::string(word_), static_cast<LocationId>(locations_.size()));
    if (fresh) {
      if (trace_.locations.size() >= limits_.locations) return fail("at most {} locations", limits_.locations);
      trace_.locations.emplace_back(word_);
    }
    id = kNamedLocation + entry->second;
    next();
    return true;
  }

  // Behind "@".
  bool location(LocationId& id) {
    if (!word_.empty() && word_[0] == '#') {
      if (!number(word_.substr(1), id, "a location")) return false;
      if (id >= kNamedLocation) return fail("a location below {}", kNamedLocation);
      next();
      return true;
    }
    return named_location(id);
  }

  // Behind "in".
  bool context(ContextId& id) {
    if (word_.empty() || word_[0] != '#') return fail("a context such as #5");
    if (!number(word_.substr(1), id, "a context")) return false;
    next();
    return true;
  }

  bool quoted_text(char (&to)[20]) {
    // Blanks belong to the text, so this reads the line rather than words.
    if (word_.empty() || word_[0] != '"') return fail("a text in quotes");
    std::size_t i = column_;  // behind the quote
    std::size_t n = 0;
    for (; i < line_.size() && line_[i] != '"'; ++i) {
      auto c = static_cast<unsigned>(static_cast<unsigned char>(line_[i]));
      if (c == '\\') {
        if (line_.substr(i, 2) != "\\x" || i + 4 > line_.size() ||
            !number("0x" + std::string(line_.substr(i + 2, 2)), c, "\\xNN"))
          return fail("\\xNN");
        i += 3;
      }
      if (n + 1 >= sizeof(to)) return fail("a text of at most {} bytes", sizeof(to) - 1);
      if (c == 0) return fail("a text without zero bytes");
      to[n++] = static_cast<char>(c);
    }
    if (i >= line_.size()) return fail("a closing quote");
    at_ = i + 1;
    next();
    return true;
  }

  bool thread_line() {
    ThreadIndex index = 0;
    if (word_ == "main") {
      next();
    } else {
      if (threads_.contains(std::string(word_))) return fail("a thread that is not known yet");
      if (!new_thread(ThreadRecord{}, index)) return false;
    }
    ThreadRecord record;
    while (!word_.empty() && !failed_) {
      if (accept("parent")) {
        if (accept("none")) continue;
        if (!known_thread(record.parent, "a thread known by now or `none'")) return false;
        if (record.parent >= index) return fail("a parent that is older than its child");
      } else if (accept("ordinal")) {
        number_word(record.ordinal, "an ordinal");
      } else if (accept("steps")) {
        number_word(record.steps, "a number of steps");
      } else if (accept("name")) {
        quoted_text(record.name);
      } else if (accept("@")) {
        location(record.created_at);
      } else if (accept("in")) {
        context(record.created_in);
      } else {
        return fail("parent, ordinal, steps, name, `@' or `in'");
      }
    }
    trace_.threads[index] = record;
    if (record.parent != kNoThread && record.ordinal > children_[record.parent]) {
      children_[record.parent] = record.ordinal;
    }
    return !failed_;
  }

  bool object_line() {
    if (objects_.contains(std::string(word_))) return fail("an object that is not known yet");
    ObjectId id = 0;
    if (!object_name(id, word_)) return false;
    next();
    ObjectRecord record = implied_object(id);
    bool kind_known = false;
    for (std::size_t i = 0; i < std::size(kObjectWords); ++i) {
      if (word_ == kObjectWords[i]) {
        record.kind = static_cast<ObjectKind>(i);
        kind_known = true;
      }
    }
    if (!kind_known) return fail("a kind of object: unknown, module, heap, stack, tls, other or channel");
    next();
    while (!word_.empty() && !failed_) {
      if (accept("owner")) {
        number_word(record.owner, "an owner");
      } else if (accept("ordinal")) {
        number_word(record.ordinal, "an ordinal");
      } else if (accept("size")) {
        number_word(record.size, "a size");
      } else if (accept("base")) {
        number_word(record.base, "an address");
      } else if (accept("@")) {
        location(record.site);
      } else if (accept("in")) {
        context(record.site_context);
      } else {
        return fail("owner, ordinal, size, base, `@' or `in'");
      }
    }
    trace_.objects[id] = record;
    return !failed_;
  }

  bool operation(Event& e) {
    for (std::size_t i = 1; i < static_cast<std::size_t>(OpKind::kCount); ++i) {
      if (kOperationTable[i].name == word_) {
        e.kind = static_cast<OpKind>(i);
        next();
        return true;
      }
    }
    return fail("an operation");
  }

  bool order_or_flag(Event& e, bool& order_given) {
    for (std::size_t i = 0; i < std::size(kOrderWords); ++i) {
      if (word_ != kOrderWords[i]) continue;
      e.bits = static_cast<std::uint8_t>((e.bits & ~kOrderMask) | i);
      order_given = true;
      next();
      return true;
    }
    for (const FlagWord& flag : kFlagWords) {
      if (word_ != flag.word) continue;
      e.bits |= flag.bit;
      next();
      return true;
    }
    return false;
  }

  bool event_line() {
    Event e;
    if (!known_thread(e.thread, "a thread that was created, `thread', `object' or `location'")) return false;
    if (!operation(e)) return false;
    if (e.kind == OpKind::kThreadCreate || names_thread(e.kind)) {
      ThreadIndex other = 0;
      const bool ok =
          e.kind == OpKind::kThreadCreate ? created_thread(e.thread, other) : known_thread(other, "a thread");
      if (!ok) return false;
      e.value = other;
    }
    if (e.kind == OpKind::kCondSignal) e.value = kNoThread;
    bool order_given = false;
    bool place_given = false;
    while (!word_.empty() && !failed_) {
      if (order_or_flag(e, order_given)) continue;
      if (word_[0] >= '0' && word_[0] <= '9') {
        number_word(e.size, "a size");
      } else if (accept("=")) {
        number_word(e.value, "a value");
      } else if (e.kind == OpKind::kCondSignal && accept("wakes")) {
        ThreadIndex woken = kNoThread;
        if (!accept("none")) known_thread(woken, "a thread or `none'");
        e.value = woken;
      } else if (names_mutex(e.kind) && accept("releasing")) {
        Event mutex;
        place(mutex.object, mutex.offset);
        e.value = place_of(mutex);
      } else if (accept("@")) {
        location(e.location);
      } else if (accept("in")) {
        context(e.context);
      } else if (place_given) {
        fail("a size, a memory order, a flag, `=', `@' or `in'");
      } else {
        place_given = true;
        place(e.object, e.offset);
      }
    }
    if (failed_) return false;
    if (names_thread(e.kind) && e.value >= trace_.threads.size()) return fail("a thread as the value");
    if (op_class(e.kind) == OpClass::kAtomic && !order_given) e.bits |= __ATOMIC_SEQ_CST;
    if (trace_.events.size() >= limits_.events) return fail("at most {} events", limits_.events);
    trace_.events.push_back(e);
    return true;
  }

  std::string_view text_;
  TraceLimits limits_;
  Trace trace_;
  std::unordered_map<std::string, ThreadIndex> threads_;
  std::unordered_map<std::string, ObjectId> objects_;
  std::unordered_map<std::string, LocationId> locations_;
  std::unordered_map<ThreadIndex, std::uint32_t> children_;
  std::string_view line_;
  std::string_view word_;
  std::size_t at_ = 0;
  std::size_t column_ = 1;
  std::size_t line_number_ = 0;
  bool failed_ = false;
  TraceTextError error_;
};

}  // namespace

tl::expected<Trace, TraceTextError> parse_trace(std::string_view text, const TraceLimits& limits) {
  return Parser(text, limits).run();
}

}  // namespace ravel
