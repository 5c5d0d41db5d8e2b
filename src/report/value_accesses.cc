// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Ravel authors
//
// Accesses of a value-schedule file in an execution: found by thread, operation, object, place and instance, and asked
// which came first.
#include <fmt/format.h>

#include <algorithm>

#include "report/lock_spans.h"
#include "report/value_orders.h"
#include "semantics/effects.h"

namespace ravel {
namespace {

SourceLine line_of(const std::string& text) {
  const std::size_t colon = text.rfind(':');
  SourceLine line;
  line.file = text.substr(0, colon);
  if (colon != std::string::npos)
    line.line = static_cast<std::uint32_t>(std::strtoul(text.c_str() + colon + 1, nullptr, 10));
  if (line.line == 0) line = {text, 0};
  return line;
}

std::uint64_t object_place(const Event& e) {
  return sequence_place(e.kind, place_of(e), e.value);
}

}  // namespace

SourceLine ValueAccesses::place_of_event(std::size_t event) {
  return line_of_access(names_.record().events[event]);
}
std::string ValueAccesses::object_of_event(std::size_t event) {
  return object_of(names_.record().events[event]);
}

SourceLine ValueAccesses::line_of_access(const Event& e) {
  const auto [known, fresh] = lines_.try_emplace((std::uint64_t{e.context} << 32) | e.location);
  if (fresh) known->second = line_of(names_.place_text(e.location, e.context));
  return known->second;
}

SourceLine ValueAccesses::call_of(const Event& e) {
  const std::vector<std::string> stack = names_.user_stack(e.location, e.context, 2);
  if (stack.size() < 2) return {};
  const std::size_t at = stack[1].rfind(" at ");
  return line_of(at == std::string::npos ? stack[1] : stack[1].substr(at + 4));
}

std::string ValueAccesses::object_of(const Event& e) {
  const std::uint64_t place = object_place(e);
  if ((place >> 32) >= names_.record().objects.size()) return {};
  auto [known, fresh] = texts_.try_emplace(place);
  if (fresh) known->second = objects_.name_of(place);
  return known->second;
}

ValueAccess ValueAccesses::describe(std::size_t event, bool from) {
  return describe(names_.record().events[event], event, from);
}
ValueAccess ValueAccesses::describe(const Event& e, std::size_t before, bool from) {
  const ExecutionRecord& record = names_.record();
  ValueAccess access;
  access.thread = lineage_of(record.threads, e.thread);
  access.kind = e.kind;
  access.object = object_of(e);
  access.place = line_of_access(e);
  if (from) access.from = call_of(e);
  for (std::size_t i = 0; i < before; ++i) {
    const Event& earlier = record.events[i];
    if (earlier.thread == e.thread && earlier.kind == e.kind && is_same(earlier, access)) ++access.instance;
  }
  return access;
}

bool ValueAccesses::is_same(const Event& e, const ValueAccess& access) {
  if (e.kind != access.kind || !is_same_line(access.place, line_of_access(e))) return false;
  if (!access.object.empty() && object_of(e) != access.object) return false;
  return access.from.line == 0 || is_same_line(access.from, call_of(e));
}

// What its thread was about to do when the execution ended.
bool ValueAccesses::is_pending(const ValueAccess& access) {
  const ExecutionRecord& record = names_.record();
  return std::any_of(record.pending.begin(), record.pending.end(), [&](const Event& e) {
    return lineage_of(record.threads, e.thread) == access.thread && is_same(e, access) &&
           describe(e, record.events.size(), access.from.line != 0).instance == access.instance;
  });
}

std::optional<std::size_t> ValueAccesses::find(const ValueAccess& access) {
  std::uint32_t seen = 0;
  for (const std::size_t i : events_of(access.thread, access.kind)) {
    if (is_same(names_.record().events[i], access) && ++seen == access.instance) return i;
  }
  return std::nullopt;
}

// Of all threads and kinds at once: orders ask for them again and again.
const std::vector<std::size_t>& ValueAccesses::events_of(const std::string& lineage, OpKind kind) {
  const ExecutionRecord& record = names_.record();
  if (events_of_.empty()) {
    std::vector<std::string> lineages;
    for (std::size_t t = 0; t < record.threads.size(); ++t) {
      lineages.push_back(lineage_of(record.threads, static_cast<ThreadIndex>(t)));
    }
    for (std::size_t i = 0; i < record.events.size(); ++i) {
      events_of_[{lineages[record.events[i].thread], record.events[i].kind}].push_back(i);
    }
  }
  return events_of_[{lineage, kind}];
}

std::string ValueAccesses::common_lock(std::size_t first, std::size_t second) {
  const std::vector<Event>& events = names_.record().events;
  const std::vector<LockSpan> spans = lock_spans(events);
  const auto holds = [&](const LockSpan& span, std::size_t at) {
    return span.thread == events[at].thread && span.from < at && at < span.to;
  };
  for (const LockSpan& one : spans) {
    if (!holds(one, first)) continue;
    for (const LockSpan& other : spans) {
      if (holds(other, second) && other.place == one.place) return objects_.name_of(one.place);
    }
  }
  return {};
}

// Both happened.
std::string ValueAccesses::order_violation(std::size_t first, std::size_t second, const ValueOrder& order) {
  const std::vector<Event>& events = names_.record().events;
  if (first > second) {
    const std::string lock = common_lock(first, second);
    std::string why = access_text(order.second) + " comes first";
    if (!lock.empty()) {
      why += fmt::format(": {} waits for {}, held by {}", order.first.thread, lock, order.second.thread);
    }
    return why;
  }
  if (order.relation == ValueRelation::kWakes) return wake_violation(first, second, order);
  const Event& a = events[first];
  const Event& b = events[second];
  if (order.relation == ValueRelation::kBefore) return {};
  const bool defines = order.relation == ValueRelation::kDefines;
  const bool same =
      defines ? ranges_meet(place_of(a), a.size, place_of(b), b.size) : object_place(a) == object_place(b);
  if (!same)
    return fmt::format("they are at different addresses: {} and {}", object_of_event(first), object_of_event(second));
  const auto other = between(first, second, order.relation);
  return other ? access_text(describe(*other, false)) + " comes in between" : "";
}

// `end`: index of the second access; the number of events if it has not come.
std::string ValueAccesses::wake_violation(std::size_t signal, std::size_t end, const ValueOrder& order) {
  const ExecutionRecord& record = names_.record();
  const Event& e = record.events[signal];
  const std::string text = access_text(order.first);
  if (e.value >= record.threads.size()) return text + " wakes nobody";
  const std::string woken = lineage_of(record.threads, static_cast<ThreadIndex>(e.value));
  if (woken != order.second.thread) return text + " wakes " + woken;
  for (const std::size_t i : events_of(woken, OpKind::kCondReacquire)) {
    if (i > signal && i < end) return text + " wakes it from an earlier wait";
  }
  return {};
}

std::optional<std::size_t> ValueAccesses::between(std::size_t first, std::size_t second, ValueRelation relation) const {
  const std::vector<Event>& events = names_.record().events;
  const Event& a = events[first];
  const Event& b = events[second];
  if (relation == ValueRelation::kBefore || relation == ValueRelation::kWakes) return std::nullopt;
  // Bytes that both touch: one of them may be wider.
  const std::uint64_t from = std::max(place_of(a), place_of(b));
  const std::uint64_t end = std::min(place_of(a) + a.size, place_of(b) + b.size);
  for (std::size_t i = first + 1; i < second; ++i) {
    const Event& e = events[i];
    const bool disturbs = relation == ValueRelation::kDefines
                              ? has_write_effect(e.kind, e.bits) && ranges_meet(place_of(e), e.size, from, end - from)
                              : takes_lock(e.kind) && !e.failed() && object_place(e) == object_place(a);
    if (disturbs) return i;
  }
  return std::nullopt;
}

std::string ValueAccesses::violation(const ValueOrder& order) {
  const auto first = find(order.first);
  const auto second = find(order.second);
  if (!first) return access_text(order.first) + " is not reached";
  if (!second && order.relation != ValueRelation::kDefines && is_pending(order.second)) {
    if (order.relation != ValueRelation::kWakes) return {};
    return wake_violation(*first, names_.record().events.size(), order);
  }
  if (!second) return access_text(order.second) + " is not reached";
  return order_violation(*first, *second, order);
}

}  // namespace ravel
