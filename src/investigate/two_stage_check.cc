// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Ravel authors
#include "investigate/two_stage_check.h"

#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <set>
#include <tuple>

#include "model/outcome.h"
#include "model/text/path_text.h"
#include "report/value_orders.h"
#include "semantics/effects.h"

namespace ravel {
namespace {

std::string lineage_of_class(unsigned thread_class) {
  return thread_class == 0 ? "main" : fmt::format("main.{}", thread_class);
}

enum class Sort { kRead, kWrite, kLock, kOther };

Sort sort_of(SiteKind kind) {
  switch (kind) {
    case SiteKind::kRead:
    case SiteKind::kAtomicRead:
      return Sort::kRead;
    case SiteKind::kWrite:
    case SiteKind::kAtomicWrite:
      return Sort::kWrite;
    case SiteKind::kLock:
    case SiteKind::kReadLock:
      return Sort::kLock;
    default:
      return Sort::kOther;
  }
}
Sort sort_of(const Event& e) {
  if (is_memory_access(e.kind)) return has_write_effect(e.kind, 0) ? Sort::kWrite : Sort::kRead;
  return takes_lock(e.kind) && !e.failed() ? Sort::kLock : Sort::kOther;
}

class Checker {
 public:
  Checker(const Facts& facts, const TwoStageResult& derived) : facts_(facts), derived_(derived) {
    reached_.resize(derived.schedules.size(), 0);
    out_.feasible.resize(derived.schedules.size(), false);
  }

  // Two accesses of the same kind on one line cannot be distinguished in an execution.
  Result<void> prepare() {
    std::map<std::tuple<unsigned, std::string, unsigned, Sort>, unsigned> known;
    for (const StaticSchedule& schedule : derived_.schedules) {
      for (const StaticOrder& order : schedule.orders) {
        for (const unsigned number : {order.first.site, order.second.site}) {
          const Site& site = facts_.sites[number];
          const auto [entry, fresh] =
              known.try_emplace({site.thread_class, site.place.file, site.place.line, sort_of(site.kind)}, number);
          if (entry->second != number) {
            return cannot_test("two accesses of one kind on a line", static_access_text(facts_, {number, 1}),
                               "write them on two lines");
          }
        }
      }
    }
    return {};
  }

  void take(const FoundOutcome& found, Names& names) {
    events_.clear();
    accesses_.emplace(names);
    unsigned matches = 0;
    for (std::size_t i = 0; i < derived_.schedules.size(); ++i) {
      const StaticSchedule& schedule = derived_.schedules[i];
      const std::size_t held = held_of(schedule, names);
      reached_[i] = std::max(reached_[i], held);
      const bool whole = held == schedule.orders.size() && schedule.deadlock == (found.kind == OutcomeKind::kDeadlock);
      if (!whole) continue;
      out_.feasible[i] = true;
      ++matches;
    }
    out_.unexpected += matches != 1;
  }

  TwoStageCheck result(const ValueSearchEnd& end) {
    out_.executions = end.schedules;
    out_.complete = end.complete;
    out_.note = end.note;
    std::set<std::vector<StaticOrder>> prefixes;
    for (std::size_t i = 0; i < derived_.schedules.size(); ++i) {
      if (out_.feasible[i]) continue;
      const std::vector<StaticOrder>& orders = derived_.schedules[i].orders;
      const std::size_t length = std::min(reached_[i] + 1, orders.size());
      const bool fresh = prefixes.insert({orders.begin(), orders.begin() + static_cast<std::ptrdiff_t>(length)}).second;
      out_.runs_saved += !fresh;
    }
    return std::move(out_);
  }

 private:
  // How many of the orders the execution has, from the first on.
  std::size_t held_of(const StaticSchedule& schedule, Names& names) {
    std::size_t held = 0;
    for (const StaticOrder& order : schedule.orders) {
      const auto first = event_of(order.first, names);
      const auto second = event_of(order.second, names);
      // In a deadlock the second may be what its thread waits to do.
      const bool waits = schedule.deadlock && first && !second;
      if (first && second ? *first > *second : order.decided && !waits) break;
      ++held;
    }
    return held;
  }

  std::optional<std::size_t> event_of(const StaticAccess& access, Names& names) {
    const auto [known, fresh] = events_.try_emplace(access);
    if (!fresh) return known->second;
    const ExecutionRecord& record = names.record();
    const Site& site = facts_.sites[access.site];
    const std::string lineage = lineage_of_class(site.thread_class);
    unsigned seen = 0;
    for (std::size_t i = 0; i < record.events.size(); ++i) {
      const Event& e = record.events[i];
      if (sort_of(e) != sort_of(site.kind) || lineage_of(record.threads, e.thread) != lineage) continue;
      if (!is_same_line({site.place.file, site.place.line}, accesses_->place_of_event(i))) continue;
      if (++seen == access.instance) {
        known->second = i;
        break;
      }
    }
    return known->second;
  }

  const Facts& facts_;
  const TwoStageResult& derived_;
  std::vector<std::size_t> reached_;  // by schedule: the most orders that an execution had
  TwoStageCheck out_;
  std::map<StaticAccess, std::optional<std::size_t>> events_;  // of the execution in hand
  std::optional<ValueAccesses> accesses_;
};

}  // namespace

std::string static_access_text(const Facts& facts, const StaticAccess& access) {
  const Site& site = facts.sites[access.site];
  std::string text =
      fmt::format("{} {} {}:{}", lineage_of_class(site.thread_class),
                  kSiteKindNames[static_cast<std::size_t>(site.kind)], base_name(site.place.file), site.place.line);
  if (access.instance != 1) text += fmt::format(" #{}", access.instance);
  return text;
}

std::string static_order_text(const Facts& facts, const StaticOrder& order) {
  return static_access_text(facts, order.first) + " -> " + static_access_text(facts, order.second);
}

Result<TwoStageCheck> check_two_stage(const Facts& facts, const TwoStageResult& derived,
                                      const ValueSearchRequest& request) {
  Checker checker(facts, derived);
  if (auto ready = checker.prepare(); !ready) return tl::make_unexpected(ready.error());
  ValueSearch search(request);
  auto end = search.run([&](const FoundOutcome& found, Names& names) {
    checker.take(found, names);
    return true;
  });
  if (!end) return tl::make_unexpected(end.error());
  return checker.result(*end);
}

}  // namespace ravel
