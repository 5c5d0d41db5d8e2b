// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Ravel authors
//
// Printing. Declarations come first, so that numbers are the same after reading the text again.
#include "model/text/trace_text.h"

#include <fmt/format.h>

#include <algorithm>
#include <cstring>
#include <unordered_set>

#include "model/text/trace_words.h"

namespace ravel {
namespace {

bool is_word_of_the_format(std::string_view word) {
  const auto in = [word](const auto& list) {
    return std::find(std::begin(list), std::end(list), word) != std::end(list);
  };
  if (in(kOrderWords) || in(kOtherWords)) return true;
  return std::any_of(std::begin(kFlagWords), std::end(kFlagWords),
                     [word](const FlagWord& f) { return f.word == word; });
}

// Each name as given where it is fit and unused, else made up.
std::vector<std::string> usable_names(const std::vector<std::string>& given, std::size_t count, std::string_view first,
                                      char letter) {
  std::vector<std::string> names(count);
  std::unordered_set<std::string> taken;
  if (count != 0) {
    names[0] = first;
    taken.insert(names[0]);
  }
  for (std::size_t i = 1; i < count; ++i) {
    if (i < given.size() && is_trace_name(given[i]) && taken.insert(given[i]).second) names[i] = given[i];
  }
  for (std::size_t i = 1; i < count; ++i) {
    if (!names[i].empty()) continue;
    names[i] = fmt::format("{}{}", letter, i);
    while (!taken.insert(names[i]).second) names[i] += '_';
  }
  return names;
}

class Printer {
 public:
  explicit Printer(const Trace& trace)
      : trace_(trace),
        threads_(usable_names(trace.thread_names, trace.threads.size(), "main", 'T')),
        objects_(usable_names(trace.object_names, trace.objects.size(), "?", 'o')) {}

  void declarations() {
    for (const std::string& name : trace_.locations) add("location {}\n", name);
    for (std::size_t i = 0; i < trace_.threads.size(); ++i) thread(i);
    for (std::size_t i = 1; i < trace_.objects.size(); ++i) object(i);
  }

  void event(const Event& e) {
    add("{} {}", threads_[e.thread], op_name(e.kind));
    if (names_thread(e.kind)) add(" {}", threads_[e.value]);
    if (e.object != 0 || e.offset != 0) place(e.object, e.offset);
    if (e.size != 0) add(" {}", e.size);
    if (op_class(e.kind) == OpClass::kAtomic || e.order() != 0) add(" {}", kOrderWords[e.order()]);
    for (const FlagWord& flag : kFlagWords) {
      if ((e.bits & flag.bit) != 0) add(" {}", flag.word);
    }
    value(e);
    location(e.location);
    if (e.context != 0) add(" in #{}", e.context);
  }

  void line_end() { out_ += '\n'; }
  [[nodiscard]] std::string take() { return std::move(out_); }

 private:
  template <class... Args>
  void add(fmt::format_string<Args...> format, Args&&... args) {
    fmt::format_to(std::back_inserter(out_), format, std::forward<Args>(args)...);
  }

  void place(std::uint32_t object, std::uint32_t offset) {
    add(" {}", objects_[object]);
    if (offset != 0) add("+{}", offset);
  }

  void location(LocationId id) {
    if (id == 0) return;
    if (id >= kNamedLocation) {
      add(" @ {}", trace_.locations[id - kNamedLocation]);
    } else {
      add(" @ #{}", id);
    }
  }

  void value(const Event& e) {
    if (names_thread(e.kind)) return;
    if (e.kind == OpKind::kCondSignal) {
      if (e.value == kNoThread) return;
      if (e.value < threads_.size()) {
        add(" wakes {}", threads_[e.value]);
        return;
      }
    } else if (e.value == 0) {
      return;
    } else if (names_mutex(e.kind) && (e.value >> 32) < objects_.size()) {
      add(" releasing");
      place(static_cast<std::uint32_t>(e.value >> 32), static_cast<std::uint32_t>(e.value));
      return;
    }
    add(" = {}", e.value);
  }

  void thread(std::size_t i) {
    const ThreadRecord& t = trace_.threads[i];
    add("thread {} parent {} ordinal {}", threads_[i], t.parent == kNoThread ? std::string("none") : threads_[t.parent],
        t.ordinal);
    if (t.steps != 0) add(" steps {}", t.steps);
    if (t.name[0] != 0) {
      add(" name \"");
      for (const char c : std::string_view(t.name, strnlen(t.name, sizeof(t.name)))) {
        if (c == '"' || c == '\\' || c < 0x20 || c == 0x7f) {
          add("\\x{:02x}", static_cast<unsigned char>(c));
        } else {
          out_ += c;
        }
      }
      out_ += '"';
    }
    location(t.created_at);
    if (t.created_in != 0) add(" in #{}", t.created_in);
    line_end();
  }

  void object(std::size_t i) {
    const ObjectRecord& o = trace_.objects[i];
    add("object {} {}", objects_[i], kObjectWords[static_cast<std::size_t>(o.kind)]);
    if (o.owner != 0) add(" owner {}", o.owner);
    add(" ordinal {}", o.ordinal);
    if (o.size != 0) add(" size {}", o.size);
    if (o.base != 0) add(" base {:#x}", o.base);
    location(o.site);
    if (o.site_context != 0) add(" in #{}", o.site_context);
    line_end();
  }

  const Trace& trace_;
  std::vector<std::string> threads_;
  std::vector<std::string> objects_;
  std::string out_;
};

bool valid_location(const Trace& trace, LocationId id) {
  return id < kNamedLocation || id - kNamedLocation < trace.locations.size();
}

bool valid_event(const Trace& trace, const Event& e) {
  return e.kind != OpKind::kNone && e.kind < OpKind::kCount && e.order() <= __ATOMIC_SEQ_CST &&
         e.thread < trace.threads.size() && e.object < trace.objects.size() && valid_location(trace, e.location) &&
         (!names_thread(e.kind) || e.value < trace.threads.size());
}

}  // namespace

bool is_trace_name(std::string_view word) {
  if (word.empty() || word.size() > TraceLimits{}.name || is_word_of_the_format(word)) return false;
  const auto letter = [](char c) { return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '_'; };
  if (!letter(word[0])) return false;
  return std::all_of(word.begin(), word.end(), [&](char c) {
    return letter(c) || (c >= '0' && c <= '9') || std::string_view(".[]:<>~$*&()-").find(c) != std::string_view::npos;
  });
}

std::string TraceTextError::text() const {
  return fmt::format("line {}, column {}: {}", line, column, message);
}

Trace empty_trace() {
  Trace trace;
  trace.threads.resize(1);
  trace.thread_names = {"main"};
  trace.objects = {implied_object(0)};
  trace.object_names = {"?"};
  return trace;
}

bool valid(const Trace& trace) {
  if (trace.threads.empty() || trace.objects.empty()) return false;
  std::unordered_set<std::string> locations;
  for (const std::string& name : trace.locations) {
    const bool blank = std::any_of(name.begin(), name.end(), [](unsigned char c) { return c <= ' ' || c == 0x7f; });
    if (name.empty() || blank || name[0] == '#' || name.size() > TraceLimits{}.name || !locations.insert(name).second)
      return false;
  }
  for (std::size_t i = 0; i < trace.threads.size(); ++i) {
    const ThreadRecord& t = trace.threads[i];
    if ((t.parent != kNoThread && t.parent >= i) || !valid_location(trace, t.created_at)) return false;
    if (t.name[sizeof(t.name) - 1] != 0) return false;
  }
  for (const ObjectRecord& o : trace.objects) {
    if (o.kind > ObjectKind::kChannel || !valid_location(trace, o.site)) return false;
  }
  return std::all_of(trace.events.begin(), trace.events.end(), [&](const Event& e) { return valid_event(trace, e); });
}

std::string print_trace(const Trace& trace) {
  if (!valid(trace)) return "// not a valid trace\n";
  Printer printer(trace);
  printer.declarations();
  for (const Event& e : trace.events) {
    printer.event(e);
    printer.line_end();
  }
  return printer.take();
}

std::string print_event(const Trace& trace, const Event& event) {
  if (trace.threads.empty() || trace.objects.empty() || !valid_event(trace, event)) return "?";
  Printer printer(trace);
  printer.event(event);
  return printer.take();
}

}  // namespace ravel
