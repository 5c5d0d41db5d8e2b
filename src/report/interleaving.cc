// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Ravel authors
#include "report/interleaving.h"

#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <unordered_map>

#include "model/text/printable.h"
#include "report/failure_place.h"
#include "report/waits.h"
#include "semantics/rwlock.h"

namespace ravel {
namespace {

bool changes(OpKind kind) {
  return kind != OpKind::kRead && kind != OpKind::kAtomicLoad;
}

struct PlaceUse {
  ThreadIndex first = kNoThread;
  ThreadIndex writer = kNoThread;
  bool several = false;
  bool changed = false;
  std::uint64_t written_at = 0;
  // Plain memory that was filled before the thread that reads it existed says nothing: a value handed over.
  bool contended = false;

  [[nodiscard]] bool interesting() const { return several && changed && contended; }
};

// Places that two threads use and at least one changes. A thread that waits for a place uses it too.
std::unordered_map<std::uint64_t, PlaceUse> uses_of(Names& names) {
  std::unordered_map<std::uint64_t, PlaceUse> uses;
  std::unordered_map<ThreadIndex, std::uint64_t> created_at;
  std::uint64_t sequence = 0;
  for (const Event& event : names.record().events) {
    ++sequence;
    if (event.kind == OpKind::kThreadCreate) created_at[static_cast<ThreadIndex>(event.value)] = sequence;
    if (event.object == 0 || is_background(event.kind) || op_class(event.kind) == OpClass::kLifecycle) continue;
    if (is_machinery(names, event)) continue;
    PlaceUse& use = uses[place_of(event)];
    if (use.first == kNoThread) use.first = event.thread;
    use.several = use.several || use.first != event.thread;
    if (op_class(event.kind) != OpClass::kPlain) use.contended = true;
    if (use.writer != kNoThread && use.writer != event.thread && use.written_at > created_at[event.thread])
      use.contended = true;
    if (!changes(event.kind)) continue;
    use.changed = true;
    use.written_at = sequence;
    if (use.several || (use.writer != kNoThread && use.writer != event.thread)) use.contended = true;
    use.writer = event.thread;
  }
  for (const WaitingRecord& waiting : names.record().waiting) {
    if (waiting.object == 0) continue;
    PlaceUse& use = uses[(std::uint64_t{waiting.object} << 32) | waiting.offset];
    use.several = use.changed = use.contended = true;
  }
  return uses;
}

std::string gap_text(const std::map<ThreadIndex, std::uint64_t>& skipped) {
  std::string text;
  for (const auto& [thread, count] : skipped) {
    text += text.empty() ? fmt::format("... {} event{} of T{}", count, count == 1 ? "" : "s", thread)
                         : fmt::format(", {} of T{}", count, thread);
  }
  return text;
}

std::string value_text(std::uint64_t value, std::uint16_t size) {
  if (size == 0 || size > 8) return fmt::format("{}", value);
  if (size < 8) value &= (std::uint64_t{1} << (8 * size)) - 1;
  // Small negative numbers are what programmers meant; addresses and hashes are easier to read in hexadecimal.
  const unsigned shift = 64 - 8 * size;
  const std::int64_t as_signed = static_cast<std::int64_t>(value << shift) >> shift;
  if (as_signed < 0 && as_signed > -100'000) return fmt::format("{}", as_signed);
  return value > 0xffffffffu ? fmt::format("{:#x}", value) : fmt::format("{}", value);
}

template <class Shown>
Interleaving render(Names& names, Shown shown) {
  const std::vector<Event>& events = names.record().events;
  std::vector<std::size_t> picked;
  for (std::size_t i = 0; i < events.size(); ++i) {
    if (shown(i)) picked.push_back(i);
  }
  const auto written = written_values(events);
  const std::uint64_t first = names.record().first_sequence();
  const std::size_t from = picked.size() > kMaxShownEvents ? picked.size() - kMaxShownEvents : 0;
  Interleaving out;
  std::size_t next = 0;
  std::map<ThreadIndex, std::uint64_t> skipped;
  auto flush_gap = [&](std::size_t until) {
    for (; next < until; ++next) {
      if (!is_background(events[next].kind)) ++skipped[events[next].thread];
    }
    if (!skipped.empty()) {
      InterleavingLine gap;
      gap.gap = true;
      gap.operation = gap_text(skipped);
      out.lines.push_back(std::move(gap));
      skipped.clear();
    }
  };
  for (std::size_t i = from; i < picked.size(); ++i) {
    flush_gap(picked[i]);
    const Event& event = events[picked[i]];
    InterleavingLine line = event_line(names, event);
    line.sequence = first + picked[i];
    if (const auto value = written.find(picked[i]); value != written.end()) {
      line.value = written_text(value->second, event);
    }
    out.lines.push_back(std::move(line));
    next = picked[i] + 1;
    if (std::find(out.threads.begin(), out.threads.end(), event.thread) == out.threads.end()) {
      out.threads.push_back(event.thread);
    }
  }
  if (!picked.empty()) flush_gap(events.size());
  return out;
}

// What blocked threads want never happened: it is shown behind the last event.
void add_waiting(Names& names, Interleaving& out) {
  constexpr std::size_t kMostWaiting = 8;
  std::size_t shown = 0;
  for (const WaitingRecord& record : names.record().waiting) {
    if (record.wants == OpKind::kThreadJoin || shown++ == kMostWaiting) continue;
    const WaitingRecord waiting = what_is_awaited(names.record(), record);
    InterleavingLine line;
    line.thread = waiting.thread;
    line.source = source_place(names, waiting.location, waiting.context);
    line.place = names.place_text(waiting.location, waiting.context);
    line.operation = std::string(op_name(waiting.wants));
    line.object = printable_line(names.object_text(waiting.object, waiting.offset));
    line.value = waiting.spinning != 0 ? "for ever" : "never succeeds";
    out.lines.push_back(std::move(line));
  }
}

// The failure itself is no event; it closes the story.
void add_failure(Names& names, Interleaving& out) {
  const ExecutionRecord& record = names.record();
  InterleavingLine line;
  line.thread = record.thread;
  const FailurePlace there = failure_place(names);
  line.source = source_place(names, there.location, there.context);
  line.place = line.source.text;
  line.operation = std::string(outcome_name(record.outcome));
  line.failing = true;
  out.lines.push_back(std::move(line));
}

}  // namespace

bool is_background(OpKind kind) {
  const OpClass cls = op_class(kind);
  return cls == OpClass::kInternal || cls == OpClass::kHeap || kind == OpKind::kThreadStart ||
         kind == OpKind::kThreadEnd || kind == OpKind::kFence;
}

bool is_machinery(Names& names, const Event& event) {
  if (op_class(event.kind) != OpClass::kPlain) return false;
  const Frame& frame = names.user_frame(event.location, event.context);
  return frame.in_system_header || frame.line == 0;
}

OpKind shown_kind(const Event& event) {
  const bool queued = event.kind == OpKind::kRwTryWriteLock && event.failed() && (event.value & kQueued) != 0;
  return queued ? OpKind::kRwWriteLock : event.kind;
}

std::string event_value(Names& names, const Event& event) {
  if (shown_kind(event) != event.kind) return "has to wait";
  switch (event.kind) {
    case OpKind::kRead:
    case OpKind::kAtomicLoad:
    case OpKind::kAtomicRmw:
      return "-> " + value_text(event.value, event.size);
    case OpKind::kWrite:  // 0 may also mean that the runtime could not see it any more
      return event.value == 0 ? "" : "= " + value_text(event.value, event.size);
    case OpKind::kAtomicCas:
      return fmt::format("-> {} ({})", value_text(event.value, event.size),
                         (event.bits & kSpurious) != 0 ? "failed although it agrees"
                         : event.failed()              ? "failed"
                                                       : "done");
    case OpKind::kAtomicStore:
      return "= " + value_text(event.value, event.size);
    case OpKind::kThreadCreate:
    case OpKind::kThreadJoin:
      return event.value < names.record().threads.size() ? names.thread_label(static_cast<ThreadIndex>(event.value))
                                                         : "";
    case OpKind::kCondSignal:
      return event.value == kNoThread ? "wakes nobody" : fmt::format("wakes T{}", event.value);
    case OpKind::kCondBroadcast:
    case OpKind::kFutexWake:
    case OpKind::kFutexRequeue:
      return fmt::format("wakes {}", event.value);
    case OpKind::kChoice:
      return fmt::format("takes {}", event.value);
    case OpKind::kExit:
      return fmt::format("status {}", event.value);
    default:
      break;
  }
  if ((event.bits & kTimeout) != 0) return "timed out";
  if ((event.bits & kSpurious) != 0) return "woken without a signal";
  if (event.failed()) return "failed";
  return {};
}

std::unordered_map<std::size_t, std::uint64_t> written_values(const std::vector<Event>& events) {
  std::unordered_map<std::size_t, std::uint64_t> values;
  std::unordered_map<std::uint64_t, std::size_t> last_write;
  for (std::size_t i = 0; i < events.size(); ++i) {
    const Event& event = events[i];
    if (event.kind == OpKind::kWrite) {
      last_write[place_of(event)] = i;
    } else if (event.kind == OpKind::kRead) {
      const auto write = last_write.find(place_of(event));
      if (write != last_write.end() && events[write->second].size == event.size) values[write->second] = event.value;
    }
  }
  return values;
}

std::string written_text(std::uint64_t value, const Event& event) {
  return "= " + value_text(value, event.size);
}

InterleavingLine event_line(Names& names, const Event& event) {
  InterleavingLine line;
  line.thread = event.thread;
  line.source = source_place(names, event.location, event.context);
  line.place = line.source.text;
  line.operation = std::string(op_name(shown_kind(event)));
  line.object = printable_line(names.object_text(event.object, event.offset));
  line.value = event_value(names, event);
  return line;
}

Interleaving interesting_events(Names& names) {
  const ExecutionRecord& record = names.record();
  const auto uses = uses_of(names);
  // The last event of the thread that failed plays a role even if nobody else touched the place.
  std::size_t last = record.events.size();
  for (std::size_t i = record.events.size(); i-- > 0;) {
    const Event& event = record.events[i];
    if (event.thread == record.thread && !is_background(event.kind) && !is_machinery(names, event)) {
      last = i;
      break;
    }
  }
  // Before a second thread exists nothing can interleave.
  std::size_t first_create = 0;
  while (first_create < record.events.size() && record.events[first_create].kind != OpKind::kThreadCreate)
    ++first_create;
  if (first_create == record.events.size()) first_create = 0;
  Interleaving out = render(names, [&](std::size_t i) {
    const Event& event = record.events[i];
    if (i == last) return true;
    if (i < first_create || is_background(event.kind) || is_machinery(names, event)) return false;
    const auto use = uses.find(place_of(event));
    return event.object != 0 && use != uses.end() && use->second.interesting();
  });
  add_waiting(names, out);
  if (record.waiting.empty() && is_defect(record.outcome)) add_failure(names, out);
  return out;
}

Interleaving last_events(Names& names, std::size_t count) {
  const std::size_t size = names.record().events.size();
  Interleaving out = render(names, [&](std::size_t i) { return i + count >= size; });
  add_waiting(names, out);
  return out;
}

Interleaving events_around_race(Names& names, const RaceRecord& race) {
  const ExecutionRecord& record = names.record();
  const std::uint64_t place = place_of(race.second);
  const std::uint64_t first = record.first_sequence();
  return render(names, [&](std::size_t i) {
    const Event& event = record.events[i];
    if (event.thread != race.first.thread && event.thread != race.second.thread) return false;
    if (first + i > race.second_seq) return false;
    if (place_of(event) == place && !is_background(event.kind)) return true;
    return op_class(event.kind) == OpClass::kSync && first + i >= race.first_seq;
  });
}

Interleaving events_of_detection(Names& names, const DetectionRecord& found) {
  const ExecutionRecord& record = names.record();
  const std::uint64_t first = record.first_sequence();
  std::uint64_t begin = ~std::uint64_t{0};
  std::uint64_t end = 0;
  for (unsigned i = 0; i < found.roles; ++i) {
    begin = std::min(begin, found.role[i].sequence);
    end = std::max(end, found.role[i].sequence);
  }
  return render(names, [&](std::size_t i) {
    const Event& event = record.events[i];
    const std::uint64_t sequence = first + i;
    if (sequence < begin || sequence > end || is_background(event.kind)) return false;
    bool takes_part = false;
    for (unsigned k = 0; k < found.roles; ++k) {
      const RoleRecord& role = found.role[k];
      if (role.sequence == sequence || (event.object != 0 && place_of(role.event) == place_of(event))) return true;
      takes_part = takes_part || role.event.thread == event.thread;
    }
    return takes_part && op_class(event.kind) == OpClass::kSync;
  });
}

}  // namespace ravel
