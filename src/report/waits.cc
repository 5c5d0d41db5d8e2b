// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Ravel authors
#include "report/waits.h"

#include <fmt/format.h>

#include <algorithm>
#include <unordered_map>

namespace ravel {
namespace {

constexpr std::size_t kMaxShownWaiters = 32;

// "waits for mutex m"
std::string wish_text(Names& names, const WaitingRecord& waiting) {
  const std::string object = names.object_text(waiting.object, waiting.offset);
  if (waiting.spinning != 0) return fmt::format("re-reads {}, which no thread will change,", object);
  switch (waiting.wants) {
    case OpKind::kThreadJoin:
      return waiting.holder == kNoThread ? "waits to join a thread"
                                         : "waits to join " + names.thread_label(waiting.holder);
    case OpKind::kMutexLock:
      return "waits for mutex " + object;
    case OpKind::kCondWait:
    case OpKind::kCondReacquire:
      return (waiting.holder == kNoThread ? "waits for a signal of " : "was woken and waits for the mutex of ") +
             object;
    case OpKind::kRwReadLock:
      return fmt::format("waits for {} (to read)", object);
    case OpKind::kRwWriteLock:
      return fmt::format("waits for {} (to write)", object);
    case OpKind::kSemWait:
      return "waits for semaphore " + object;
    case OpKind::kBarrierArrive:
    case OpKind::kBarrierLeave:
      return "waits at barrier " + object;
    case OpKind::kOnceBegin:
      return "waits for the one-time initialisation " + object;
    case OpKind::kFutexWait:
    case OpKind::kFutexResume:
      return "waits for a change of " + object;
    case OpKind::kMeet:
      return "waits until its call of " + object + " is accepted";
    case OpKind::kAccept:
      return "waits for a call at " + object;
    case OpKind::kSelect:
      return "waits for a call or a message at " + object;
    case OpKind::kReturn:
      return "waits for the reply to its call";
    case OpKind::kTake:
    case OpKind::kDeliver:
      return "waits for a message on " + object;
    case OpKind::kPhaseWait:
      return "waits for the end of the phase of " + object;
    case OpKind::kIoRead:
      return "waits for input from " + object;
    case OpKind::kIoWrite:
      return "waits for room in " + object;
    case OpKind::kIoWait:
      return "waits for one of several descriptors";
    case OpKind::kSignalWait:
      return "waits for a signal";
    default:
      return fmt::format("waits in {} {}", op_name(waiting.wants), object);
  }
}

std::string waiter_text(Names& names, const WaitingRecord& waiting) {
  std::string text = fmt::format("{} {} at {}", names.thread_title(waiting.thread), wish_text(names, waiting),
                                 names.place_text(waiting.location, waiting.context));
  if (waiting.role == HolderRole::kJoined || waiting.holder == kNoThread) return text;
  const std::string holder = names.thread_label(waiting.holder);
  if (waiting.role == HolderRole::kAhead) return text + fmt::format(", behind {}, which waits to write", holder);
  if (waiting.role == HolderRole::kRunner) return text + fmt::format(", run by {}", holder);
  text += fmt::format(", held by {}", holder);
  if (waiting.held_since != 0)
    text += fmt::format(" since {}", names.place_text(waiting.held_since, waiting.held_context));
  return text;
}

}  // namespace

std::vector<ThreadIndex> wait_cycle(const std::vector<WaitingRecord>& waiting) {
  std::unordered_map<ThreadIndex, ThreadIndex> next;
  for (const WaitingRecord& record : waiting) {
    if (record.holder != kNoThread) next.emplace(record.thread, record.holder);
  }
  for (const auto& start : waiting) {
    std::vector<ThreadIndex> path;
    ThreadIndex at = start.thread;
    while (next.count(at) != 0 && std::find(path.begin(), path.end(), at) == path.end()) {
      path.push_back(at);
      at = next.at(at);
    }
    const auto loop = std::find(path.begin(), path.end(), at);
    if (loop == path.end()) continue;
    std::vector<ThreadIndex> cycle(loop, path.end());
    std::rotate(cycle.begin(), std::min_element(cycle.begin(), cycle.end()), cycle.end());
    return cycle;
  }
  return {};
}

WaitingRecord what_is_awaited(const ExecutionRecord& record, const WaitingRecord& waiting) {
  if (waiting.spinning == 0 || waiting.wants != OpKind::kRead) return waiting;
  for (auto event = record.events.rbegin(); event != record.events.rend(); ++event) {
    if (event->thread != waiting.thread) continue;
    if (event->kind == OpKind::kAtomicLoad) {
      WaitingRecord found = waiting;
      found.wants = event->kind;
      found.object = event->object;
      found.offset = event->offset;
      found.location = event->location;
      found.context = event->context;
      return found;
    }
    const bool one_round = event->location == waiting.location && event->object == waiting.object;
    if (event->kind != OpKind::kRead || one_round) break;
  }
  return waiting;
}

WaitReport explain_waits(Names& names) {
  std::vector<WaitingRecord> waiting;
  for (const WaitingRecord& record : names.record().waiting) waiting.push_back(what_is_awaited(names.record(), record));
  WaitReport report;
  for (std::size_t i = 0; i < waiting.size() && i < kMaxShownWaiters; ++i) {
    report.lines.push_back(waiter_text(names, waiting[i]));
  }
  if (waiting.size() > kMaxShownWaiters) {
    report.lines.push_back(fmt::format("... and {} more threads", waiting.size() - kMaxShownWaiters));
  }
  const std::vector<ThreadIndex> cycle = wait_cycle(waiting);
  if (!cycle.empty()) {
    std::string text = "cycle: ";
    for (ThreadIndex thread : cycle) text += names.thread_label(thread) + " -> ";
    report.lines.push_back(text + names.thread_label(cycle[0]));
    report.threads = cycle;
  } else if (!waiting.empty()) {
    report.lines.push_back("no cycle: no remaining thread can wake them");
    for (const WaitingRecord& record : waiting) report.threads.push_back(record.thread);
  }
  // The place to show first: where a thread of the cycle stands, or the first waiter that does not merely join.
  for (const WaitingRecord& record : waiting) {
    const bool in_cycle = std::find(cycle.begin(), cycle.end(), record.thread) != cycle.end();
    if (cycle.empty() ? record.wants != OpKind::kThreadJoin : in_cycle) {
      report.location = record.location;
      report.context = record.context;
      break;
    }
  }
  if (report.location == 0 && !waiting.empty()) {
    report.location = waiting[0].location;
    report.context = waiting[0].context;
  }
  return report;
}

}  // namespace ravel
