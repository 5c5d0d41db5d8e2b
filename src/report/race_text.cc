// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Ravel authors
#include "report/race_text.h"

#include <fmt/format.h>

#include <algorithm>

#include "model/text/printable.h"
#include "report/interleaving.h"
#include "report/lock_spans.h"

namespace ravel {
namespace {

void release(std::vector<HeldLock>& held, std::uint64_t place) {
  const auto same = [&](const HeldLock& lock) { return ((std::uint64_t{lock.object} << 32) | lock.offset) == place; };
  const auto found = std::find_if(held.rbegin(), held.rend(), same);  // the innermost, for recursive locks
  if (found != held.rend()) held.erase(std::next(found).base());
}

std::string locks_text(Names& names, ThreadIndex thread, std::uint64_t sequence) {
  std::string text;
  for (const std::string& lock : lock_texts(names, thread, sequence)) text += (text.empty() ? "" : ", ") + lock;
  return text.empty() ? "no locks held" : "holds " + text;
}

std::string access_text(Names& names, const Event& event, std::uint64_t sequence) {
  const InterleavingLine line = event_line(names, event);
  const bool has_value = !line.value.empty();
  return fmt::format("{} by {} at {}{}{}, {}", op_name(event.kind), names.thread_title(event.thread), line.place,
                     has_value ? " " : "", has_value ? line.value : "", locks_text(names, event.thread, sequence));
}

bool is_volatile(const Event& event) {
  return (event.kind == OpKind::kRead || event.kind == OpKind::kWrite) && (event.bits & kVolatile) != 0;
}

RaceSides sides_of(Names& names, const RaceRecord& race) {
  RaceSides sides;
  sides.object = names.whole_object(race.second.object, race.second.offset);
  sides.named = names.is_named(race.second.object, race.second.offset);
  sides.both_write = race.first.kind != OpKind::kRead && race.second.kind != OpKind::kRead;
  const bool first = !locks_held(names.record(), race.first.thread, race.first_seq).empty();
  const bool second = !locks_held(names.record(), race.second.thread, race.second_seq).empty();
  sides.one_locked = first != second;
  std::string a = names.user_frame(race.first.location, race.first.context).function;
  std::string b = names.user_frame(race.second.location, race.second.context).function;
  if (b < a) std::swap(a, b);
  if (!a.empty() && !b.empty()) sides.functions = a + " / " + b;
  return sides;
}

}  // namespace

std::vector<HeldLock> locks_held(const ExecutionRecord& record, ThreadIndex thread, std::uint64_t sequence) {
  std::vector<HeldLock> held;
  const std::uint64_t first = record.first_sequence();
  for (std::size_t i = 0; i < record.events.size() && first + i < sequence; ++i) {
    const Event& event = record.events[i];
    if (event.thread != thread) continue;
    const LockChange change = lock_change(event);
    if (change.step == LockStep::kGiveBack) release(held, change.place);
    if (change.step == LockStep::kTake || change.step == LockStep::kTakeShared) {
      held.push_back({static_cast<ObjectId>(change.place >> 32), static_cast<std::uint32_t>(change.place),
                      event.location, event.context, change.step == LockStep::kTakeShared});
    }
  }
  return held;
}

std::vector<std::string> lock_texts(Names& names, ThreadIndex thread, std::uint64_t sequence) {
  std::vector<std::string> texts;
  for (const HeldLock& lock : locks_held(names.record(), thread, sequence)) {
    texts.push_back(fmt::format("{}{} (taken {})", lock.shared ? "shared " : "",
                                names.object_text(lock.object, lock.offset),
                                names.place_text(lock.location, lock.context)));
  }
  return texts;
}

RaceReport explain_race(Names& names, const RaceRecord& race) {
  RaceReport report;
  const std::string object = printable_line(names.object_text(race.second.object, race.second.offset));
  report.message = fmt::format("{}: {} {} (T{}) and {} {} (T{})", object.empty() ? "memory" : object,
                               op_name(race.first.kind), names.place_text(race.first.location, race.first.context),
                               race.first.thread, op_name(race.second.kind),
                               names.place_text(race.second.location, race.second.context), race.second.thread);
  std::string sides[2];
  for (int i = 0; i < 2; ++i) {
    const Event& event = i == 0 ? race.first : race.second;
    sides[i] = fmt::format("{} {}", op_name(event.kind), names.place_text(event.location, event.context));
  }
  report.identity = sides[0] < sides[1] ? sides[0] + " / " + sides[1] : sides[1] + " / " + sides[0];
  report.sides = sides_of(names, race);
  report.lines.push_back(access_text(names, race.first, race.first_seq));
  report.lines.push_back(access_text(names, race.second, race.second_seq));
  report.lines.push_back("nothing orders the two accesses");
  if (is_volatile(race.first) || is_volatile(race.second)) {
    report.lines.push_back(
        "volatile orders nothing in C++; if this compiler's code relies on it, --volatile acq-rel takes such accesses "
        "for atomic operations");
  }
  return report;
}

}  // namespace ravel
