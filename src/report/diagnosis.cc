// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Ravel authors
#include "report/diagnosis.h"

#include <fmt/format.h>

#include <algorithm>

#include "model/text/printable.h"
#include "report/columns.h"
#include "report/explanation.h"
#include "report/lock_spans.h"
#include "semantics/effects.h"

namespace ravel {
namespace {

bool takes(OpKind kind) {
  return kind == OpKind::kMutexLock || kind == OpKind::kMutexTryLock || kind == OpKind::kRwReadLock ||
         kind == OpKind::kRwTryReadLock || kind == OpKind::kRwWriteLock || kind == OpKind::kRwTryWriteLock;
}
std::string place_of_event(Names& names, const Event& event) {
  const std::string text = source_place(names, event.location, event.context).text;
  return text.empty() ? "an unknown place" : text;
}

// The operation that took the innermost lock the thread held then; null: it held none, or that is not kept.
const Event* section_of(const ExecutionRecord& record, std::uint64_t number, const Event& event) {
  if (takes(event.kind) && !event.failed()) return &event;
  const std::uint64_t first = record.first_sequence();
  std::uint64_t end = std::min<std::uint64_t>(number, record.total_events);
  unsigned closed = 0;
  for (; end > first; --end) {
    const Event& earlier = record.events[end - 1 - first];
    if (earlier.thread != event.thread) continue;
    if (releases(earlier.kind)) {
      ++closed;
    } else if (takes(earlier.kind) && !earlier.failed()) {
      if (closed == 0) return &earlier;
      --closed;
    }
  }
  return nullptr;
}

// `apart`: the section says more than the event in it.
std::string part(Names& names, std::uint64_t number, const Event& event, bool apart) {
  const DecisiveEvent shown = decisive_event(names, event, number);
  const Event* section = apart ? section_of(names.record(), number, event) : nullptr;
  if (section != nullptr) return "the critical section at " + place_of_event(names, *section);
  return fmt::format("the {}{}{} at {}", shown.operation, shown.object.empty() ? "" : " of ",
                     short_object_name(shown.object), place_of_event(names, event));
}

bool was_written_before(const ExecutionRecord& record, std::uint64_t number, const Event& read) {
  const std::uint64_t first = record.first_sequence();
  if (first != 0) return true;  // nobody knows
  return std::any_of(record.events.begin(), record.events.begin() + static_cast<std::ptrdiff_t>(number),
                     [&](const Event& e) { return has_write_effect(e.kind, e.bits) && accesses_meet(e, read); });
}

std::string atomicity(Names& names, const DecidedOrder& into, const DecidedOrder& out) {
  const Event* section = section_of(names.record(), into.first_number, into.first);
  const bool apart = section == nullptr || section != section_of(names.record(), out.second_number, out.second);
  const std::string begin = part(names, into.first_number, into.first, apart);
  const std::string end = part(names, out.second_number, out.second, apart);
  const bool all_of_it = into.second_number < out.second_number;
  const std::string between =
      all_of_it ? part(names, into.second_number, into.second, true) : part(names, out.first_number, out.first, true);
  const std::string both = begin == end ? fmt::format("two passes of {}", begin) : fmt::format("{} and {}", begin, end);
  return fmt::format("atomicity violation: T{} came with {} between {} of T{}, which belong together",
                     into.second.thread, between, both, into.first.thread);
}

}  // namespace

std::string diagnose(Names& names, std::span<const DecidedOrder> orders) {
  const ExecutionRecord& record = names.record();
  if (orders.size() == 2) {
    for (const auto& [into, out] : {std::pair(orders[0], orders[1]), std::pair(orders[1], orders[0])}) {
      const bool both_ways = into.first.thread == out.second.thread && into.second.thread == out.first.thread;
      if (both_ways && into.first_number < out.first_number && into.first_number < out.second_number) {
        return printable_line(atomicity(names, into, out));
      }
    }
    return {};
  }
  if (orders.size() != 1) return {};
  const DecidedOrder& order = orders[0];
  const bool reads = has_read_effect(order.first.kind) && !has_write_effect(order.first.kind, order.first.bits);
  if (!reads || !has_write_effect(order.second.kind, order.second.bits) || !accesses_meet(order.first, order.second))
    return {};
  if (order.first_number >= record.total_events || was_written_before(record, order.first_number, order.first))
    return {};
  const DecisiveEvent shown = decisive_event(names, order.first, order.first_number);
  return printable_line(fmt::format("order violation: T{} reads {} at {} before T{} sets it at {}", order.first.thread,
                                    shown.object.empty() ? "memory" : short_object_name(shown.object),
                                    place_of_event(names, order.first), order.second.thread,
                                    place_of_event(names, order.second)));
}

}  // namespace ravel
