// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Ravel authors
#include "investigate/value_pairs.h"

#include <fmt/format.h>

#include <algorithm>
#include <filesystem>
#include <map>
#include <set>
#include <tuple>

#include "investigate/use_facts.h"
#include "investigate/variable_name.h"
#include "model/text/near_names.h"
#include "report/finding.h"
#include "report/value_orders.h"
#include "semantics/effects.h"
#include "statics/facts_file.h"

namespace ravel {
namespace {

constexpr std::size_t kMostEvents = 4096;  // of one variable in one execution

std::string kind_of(const Event& a, const Event& b) {
  if (is_memory_access(a.kind) || is_memory_access(b.kind)) return "RW";
  const auto reacquires = [](const Event& e) { return e.kind == OpKind::kCondReacquire; };
  if (takes_lock(a.kind) && takes_lock(b.kind))
    return reacquires(a) && reacquires(b) ? "WW" : reacquires(a) || reacquires(b) ? "WM" : "MM";
  return family_of(a.kind) == OpFamily::kCond ? "WN" : "MM";
}

class PairsOfVariable {
 public:
  PairsOfVariable(const std::string& variable, const ValueSearchRequest& request)
      : variable_(variable), request_(request), search_(request) {}

  Result<PairsResult> run() {
    Result<void> taken;
    auto end = search_.run([&](const FoundOutcome& found, Names& names) {
      taken = take(found, names);
      return taken.has_value();
    });
    if (!end) return tl::make_unexpected(end.error());
    if (!taken) return tl::make_unexpected(taken.error());
    if (!known_variable_ && end->schedules != 0 && !end->interrupted) return unknown();
    out_.schedules = end->schedules;
    out_.executions = end->executions;
    out_.complete = end->complete;
    out_.interrupted = end->interrupted;
    out_.note = end->note;
    for (auto& [key, pair] : pairs_) out_.pairs.push_back(std::move(pair));
    for (const auto& [lineage, name] : names_)
      out_.threads += fmt::format("{}{} {}", out_.threads.empty() ? "" : ", ", name, lineage);
    add_static_pairs();
    return std::move(out_);
  }

 private:
  using Key = std::tuple<std::string, std::string, std::string, std::string, std::uint32_t, std::string, std::string,
                         std::uint32_t>;

  Result<void> take(const FoundOutcome& found, Names& names) {
    ValueAccesses accesses(names);
    const ExecutionRecord& record = names.record();
    std::vector<std::size_t> events;
    for (std::size_t i = 0; i < record.events.size(); ++i) {
      if (!is_value_operation(record.events[i].kind)) continue;
      const std::string object = accesses.object_of_event(i);
      objects_.insert(without_unnamed(object));
      const SourceLine line = accesses.place_of_event(i);
      reached_.insert({line.file, line.line, std::string(op_name(record.events[i].kind))});
      if (is_variable(object, variable_)) events.push_back(i);
    }
    known_variable_ |= !events.empty();
    if (events.size() > kMostEvents) return cannot_test("too many accesses of the variable", variable_, "fewer rounds");
    const bool fails = is_defect(found.kind);
    out_.failing += fails;
    std::map<Key, std::pair<bool, bool>> seen;  // in order, reversed
    for (const EventOrder& order : concurrent_conflicts(record, events)) {
      bool swapped = false;
      const Key key = key_of(accesses, order, swapped);
      (swapped ? seen[key].second : seen[key].first) = true;
    }
    for (const auto& [key, orders] : seen) {
      ValuePair& pair = pairs_[key];
      if (orders.first && !count(pair.in_order, found, names, fails)) return tl::make_unexpected(error_);
      if (orders.second && !count(pair.reversed, found, names, fails)) return tl::make_unexpected(error_);
    }
    return {};
  }

  // As reports call it. In another execution another thread may have the number: then the lineage is its name.
  std::string name_of(const std::string& lineage, ThreadIndex thread) {
    const std::string number = fmt::format("T{}", thread);
    const auto taken = lineages_.try_emplace(number, lineage).first;
    return names_.try_emplace(lineage, taken->second == lineage ? number : lineage).first->second;
  }

  Key key_of(ValueAccesses& accesses, const EventOrder& order, bool& swapped) {
    const ExecutionRecord& record = accesses.names().record();
    const auto side = [&](std::size_t i) {
      const std::string lineage = lineage_of(record.threads, record.events[i].thread);
      return PairSide{lineage, name_of(lineage, record.events[i].thread), std::string(op_name(record.events[i].kind)),
                      accesses.place_of_event(i)};
    };
    PairSide a = side(order.first);
    PairSide b = side(order.second);
    swapped = b.thread < a.thread;
    if (swapped) std::swap(a, b);
    const std::string kind = kind_of(record.events[order.first], record.events[order.second]);
    Key key{kind,        a.thread, a.operation, a.place.file, a.place.line, b.thread, b.operation + " " + b.place.file,
            b.place.line};
    ValuePair& pair = pairs_[key];
    pair.kind = kind;
    pair.object = accesses.object_of_event(order.first);
    pair.first = std::move(a);
    pair.second = std::move(b);
    return key;
  }

  // A plan of the first that fails, or else of the first.
  bool count(PairOrder& order, const FoundOutcome& found, Names& names, bool fails) {
    ++order.schedules;
    order.failing += fails;
    const bool wanted = order.schedules == 1 || (fails && order.failing == 1);
    if (!wanted) return true;
    if (fails) order.failure = describe_outcome(names).message;
    auto [known, fresh] = plans_.try_emplace(found.trace);
    if (fresh) {
      auto plan = search_.save(found, names, fmt::format("value schedule {}", plans_.size()));
      if (!plan) {
        error_ = plan.error();
        return false;
      }
      known->second = *plan;
    }
    order.plan = known->second;
    return true;
  }

  tl::unexpected<Error> unknown() const {
    const std::vector<std::string_view> names(objects_.begin(), objects_.end());
    return usage_error("no thread accesses such a variable", variable_,
                       near_hint(variable_, names, "ravel values show PLAN prints the names in force"));
  }

  void add_static_pairs() {
    const std::string path = facts_path(request_.output, request_.program[0]);
    if (!std::filesystem::exists(path)) {
      out_.facts = "no static facts: pairs that never happen are not listed; `ravel analyze' finds them";
      return;
    }
    auto facts = read_facts(path);
    if (!facts) {
      out_.facts = facts.error().line();
      return;
    }
    for (const SitePair& pair : facts->pairs) {
      if (is_variable(pair.object, variable_)) add_static(*facts, pair);
    }
  }

  void add_static(const Facts& facts, const SitePair& known) {
    const Site& a = facts.sites[known.first];
    const Site& b = facts.sites[known.second];
    const std::string folder = std::filesystem::current_path().string();
    const auto line = [&](const Site& site) {
      return SourceLine{short_path(site.place.file, folder), site.place.line};
    };
    const auto is = [&](const PairSide& side, const Site& site) {
      return is_same_line(side.place, line(site)) && is_same_sort(side.operation, site.kind);
    };
    for (const ValuePair& pair : out_.pairs) {
      if ((is(pair.first, a) && is(pair.second, b)) || (is(pair.first, b) && is(pair.second, a))) return;
    }
    ValuePair pair;
    pair.kind = kPairKindNames[static_cast<std::size_t>(known.kind)];
    pair.object = known.object;
    const std::string& first = facts.classes[a.thread_class].name;
    const std::string& second = facts.classes[b.thread_class].name;
    pair.first = {first, first, kSiteKindNames[static_cast<std::size_t>(a.kind)], line(a)};
    pair.second = {second, second, kSiteKindNames[static_cast<std::size_t>(b.kind)], line(b)};
    for (const Site* site : {&a, &b}) {
      const bool reached = std::any_of(reached_.begin(), reached_.end(), [&](const auto& seen) {
        const auto& [file, number, operation] = seen;
        return is_same_line({file, number}, line(*site)) && is_same_sort(operation, site->kind);
      });
      if (!reached) pair.never = fmt::format("{}:{} was not reached", line(*site).file, site->place.line);
    }
    if (pair.never.empty())
      pair.never = "the two never conflicted: ordered by creation and joining, or at other addresses";
    out_.pairs.push_back(std::move(pair));
  }

  static bool is_same_sort(const std::string& operation, SiteKind kind) {
    switch (kind) {
      case SiteKind::kRead:
      case SiteKind::kAtomicRead:
        return operation == "read" || operation == "load";
      case SiteKind::kWrite:
      case SiteKind::kAtomicWrite:
        return operation == "write" || operation == "store" || operation == "rmw" || operation == "cas";
      case SiteKind::kNotify:
        return operation == "signal" || operation == "broadcast";
      case SiteKind::kWait:
        return operation == "wait" || operation == "reacquire";
      default:
        return operation.find("lock") != std::string::npos;
    }
  }

  const std::string& variable_;
  const ValueSearchRequest& request_;
  ValueSearch search_;
  PairsResult out_;
  Error error_;
  bool known_variable_ = false;
  std::map<Key, ValuePair> pairs_;
  std::map<std::uint64_t, std::string> plans_;   // by trace
  std::map<std::string, std::string> lineages_;  // by name
  std::map<std::string, std::string> names_;     // by lineage
  std::set<std::string> objects_;
  std::set<std::tuple<std::string, std::uint32_t, std::string>> reached_;  // file, line, operation
};

}  // namespace

Result<PairsResult> examine_pairs(const std::string& variable, const ValueSearchRequest& request) {
  return PairsOfVariable(variable, request).run();
}

}  // namespace ravel
