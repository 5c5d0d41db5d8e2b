// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Ravel authors
#include "investigate/value_test.h"

#include <fmt/format.h>

#include <algorithm>
#include <fstream>
#include <set>
#include <sstream>

#include "model/text/near_names.h"
#include "model/text/path_text.h"
#include "report/finding.h"
#include "report/value_orders.h"

namespace ravel {
namespace {

// Threads by the names that the file gives them.
std::string by_names_of(const ValuesFile& file, const std::string& text) {
  std::string out;
  for (std::size_t at = 0; at < text.size();) {
    const std::size_t end = std::min(text.find_first_of(" ,:'", at), text.size());
    std::string word = text.substr(at, end - at);
    for (const auto& [name, lineage] : file.threads) {
      if (lineage == word) word = name;
    }
    out += word + text.substr(end, 1);
    at = end + 1;
  }
  return out;
}

class ValuesTester {
 public:
  ValuesTester(const ValuesFile& file, const std::string& name, ValueSearchRequest request)
      : file_(file), name_(name), orders_(file.orders), search_(std::move(request)) {
    for (ValueOrder& order : orders_) {
      order.first.thread = lineage_meant(file, order.first.thread);
      order.second.thread = lineage_meant(file, order.second.thread);
    }
  }

  Result<ValuesResult> run() {
    Result<void> saved;
    const auto visit = [&](const FoundOutcome& found, Names& names) {
      saved = take(found, names);
      return saved && !is_settled();
    };
    auto steered = search_.steer(orders_, visit);
    if (!steered) return tl::make_unexpected(steered.error());
    if (!saved) return tl::make_unexpected(saved.error());
    if (is_settled()) {
      out_.executions = *steered;
      compare({});
      return std::move(out_);
    }
    auto end = search_.run(visit);
    if (!end) return tl::make_unexpected(end.error());
    if (!saved) return tl::make_unexpected(saved.error());
    out_.executions = end->executions;
    if (out_.end != SequenceEnd::kFeasible) {
      if (end->schedules != 0 && !end->interrupted) {
        if (auto known = check_names(*end); !known) return tl::make_unexpected(known.error());
      }
      judge(*end);
    }
    compare(*end);
    return std::move(out_);
  }

 private:
  // One execution.
  Result<void> take(const FoundOutcome& found, Names& names) {
    ValueAccesses accesses(names);
    std::size_t held = 0;
    std::string why;
    while (held < orders_.size() && (why = accesses.violation(orders_[held])).empty()) ++held;
    learn_names(accesses);
    if (held == orders_.size()) return show_feasible(found, names);
    if (out_.end == SequenceEnd::kFeasible || (out_.order != 0 && held < out_.order)) return {};
    // Of those that came as far, one in which both accesses happened says more.
    const bool reached = why.find(" is not reached") == std::string::npos;
    if (held + 1 > out_.order || (reached && !reached_)) {
      reached_ = reached;
      out_.why = why;
    }
    out_.order = static_cast<std::uint32_t>(held) + 1;
    return {};
  }

  Result<void> show_feasible(const FoundOutcome& found, Names& names) {
    const bool first = out_.end != SequenceEnd::kFeasible;
    if (!first && found.kind != file_.expect.outcome) return {};
    out_.end = SequenceEnd::kFeasible;
    out_.outcome = found.kind;
    out_.outcome_text = describe_outcome(names).message;
    auto plan = search_.save(found, names, "value schedule " + name_);
    if (!plan) return tl::make_unexpected(plan.error());
    out_.plan = *plan;
    return {};
  }

  [[nodiscard]] bool is_settled() const {
    return out_.end == SequenceEnd::kFeasible && (!file_.expect.outcome || file_.expect.outcome == out_.outcome);
  }

  void learn_names(ValueAccesses& accesses) {
    const ExecutionRecord& record = accesses.names().record();
    for (std::size_t i = 0; i < record.threads.size(); ++i) {
      threads_.insert(lineage_of(record.threads, static_cast<ThreadIndex>(i)));
    }
    for (std::size_t i = 0; i < record.events.size(); ++i) {
      if (!is_value_operation(record.events[i].kind)) continue;
      const SourceLine line = accesses.place_of_event(i);
      if (line.line != 0 && known_.insert({line.file, line.line}).second) {
        places_.insert(base_name(line.file) + ":" + std::to_string(line.line));
      }
    }
  }

  // A thread or file that no execution has is a mistake in the file, not an answer.
  Result<void> check_names(const ValueSearchEnd& end) const {
    for (const ValueOrder& order : orders_) {
      for (const ValueAccess* access : {&order.first, &order.second}) {
        const std::string where = fmt::format("{}:{}", name_, order.line);
        if (threads_.find(access->thread) == threads_.end()) {
          const std::vector<std::string_view> names(threads_.begin(), threads_.end());
          return usage_error(fmt::format("{}: no thread {} in {} executions", where, access->thread, end.schedules), "",
                             near_hint(access->thread, names, "ravel values show PLAN prints the threads"));
        }
        const bool in_file = std::any_of(known_.begin(), known_.end(), [&](const auto& known) {
          return is_same_line({access->place.file, known.second}, {known.first, known.second});
        });
        if (in_file) continue;
        const std::string place = access->place.file + ":" + std::to_string(access->place.line);
        const std::vector<std::string_view> names(places_.begin(), places_.end());
        return usage_error(fmt::format("{}: no access in file {}", where, access->place.file), "",
                           near_hint(place, names, "ravel values show PLAN prints the accesses"));
      }
    }
    return {};
  }

  void judge(const ValueSearchEnd& end) {
    out_.end = end.complete ? SequenceEnd::kInfeasible : SequenceEnd::kUndecided;
    if (!end.complete) out_.note = end.note;
    if (out_.order == 0) return;  // no execution was visited
    const ValueOrder& order = file_.orders[out_.order - 1];
    out_.line = order.line;
    out_.why = by_names_of(file_, out_.why);
    out_.order_text = order_text(order);
  }

  void compare(const ValueSearchEnd& end) {
    const SynExpectation& expect = file_.expect;
    if (expect.verdict == SynVerdict::kInfeasible) {
      out_.expected = expect.at == 0 ? "infeasible" : fmt::format("infeasible from order {} on", expect.at);
      out_.as_expected = out_.end == SequenceEnd::kInfeasible && (expect.at == 0 || expect.at == out_.order);
      return;
    }
    if (!expect.verdict && !expect.outcome) return;
    out_.expected = expect.outcome ? fmt::format("feasible, {}", outcome_name(*expect.outcome)) : "feasible";
    out_.as_expected = out_.end == SequenceEnd::kFeasible && (!expect.outcome || *expect.outcome == out_.outcome);
    if (out_.end == SequenceEnd::kFeasible && !out_.as_expected && !end.complete) {
      out_.end = SequenceEnd::kUndecided;
      out_.note = end.note;
    }
  }

  const ValuesFile& file_;
  const std::string& name_;
  std::vector<ValueOrder> orders_;  // threads by lineage
  ValueSearch search_;
  ValuesResult out_;
  bool reached_ = false;
  std::set<std::string> threads_;
  std::set<std::string> places_;
  std::set<std::pair<std::string, std::uint32_t>> known_;
};

}  // namespace

Result<ValuesFile> read_values(const std::string& path) {
  std::ifstream file(path, std::ios::binary);
  std::ostringstream text;
  if (!file || !(text << file.rdbuf())) return usage_error("cannot read the value schedule", path);
  return parse_values(text.str(), path);
}

Result<ValuesResult> test_values(const ValuesFile& file, const std::string& name, ValueSearchRequest request) {
  if (file.orders.empty()) return usage_error("the file has no order", name, "ACCESS -> ACCESS behind `orders'");
  request.stdin_path = file.stdin_path;
  request.first = file.expect.outcome;
  if (request.program.empty()) {
    if (file.program.empty()) {
      return usage_error("the file names no program", name, "ravel values run FILE -- ./program [arguments]");
    }
    request.program = {file.program};
    request.program.insert(request.program.end(), file.arguments.begin(), file.arguments.end());
  }
  return ValuesTester(file, name, std::move(request)).run();
}

}  // namespace ravel
