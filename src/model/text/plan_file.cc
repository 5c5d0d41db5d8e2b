// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Ravel authors
#include "model/text/plan_file.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <set>
#include <unordered_map>

#include "model/operation.h"
#include "model/text/policy_text.h"
#include "model/text/words.h"

namespace ravel {
namespace {

constexpr std::string_view kHeader = "ravel-plan";

std::string place_text(const PlaceName& place) {
  return fmt::format("{} +{}:{}", quote(place.function), place.line, place.column);
}

// Reads one plan; `at_` is the number of the line, for messages.
class PlanParser {
 public:
  PlanParser(std::string_view text, const std::string& name) : text_(text), name_(name) {}

  Result<PlanFile> parse() {
    if (text_.size() > kMaxPlanBytes) return usage_error("the plan is too long", name_);
    if (auto header = read_header(); !header) return tl::make_unexpected(header.error());
    while (next_line()) {
      if (words_.empty()) continue;
      if (ended_) return corrupt("text after `end'");
      if (words_[0].quoted) return corrupt("a line starts with a keyword");
      if (auto read = read_line(words_[0].text); !read) return tl::make_unexpected(read.error());
    }
    if (bad_words_) return corrupt("broken quotes or control characters");
    return finish();
  }

 private:
  Result<void> corrupt_void(std::string_view why) {
    return usage_error("corrupt plan", fmt::format("{}:{}: {}", name_, at_, why), "record it again with `ravel run'");
  }
  tl::unexpected<Error> corrupt(std::string_view why) {
    return usage_error("corrupt plan", fmt::format("{}:{}: {}", name_, at_, why), "record it again with `ravel run'");
  }

  bool next_line() {
    if (rest_ >= text_.size() || bad_words_) return false;
    ++at_;
    const std::size_t end = text_.find('\n', rest_);
    std::string_view line = text_.substr(rest_, end == std::string_view::npos ? end : end - rest_);
    rest_ = end == std::string_view::npos ? text_.size() : end + 1;
    auto words = split_words(line);
    if (!words) {
      bad_words_ = true;
      return false;
    }
    words_ = std::move(*words);
    return true;
  }

  Result<void> read_header() {
    if (!next_line() || words_.size() != 2 || words_[0].text != kHeader) {
      return usage_error("not a plan", name_, "a plan starts with `ravel-plan' and its version");
    }
    const auto version = number_of<std::uint32_t>(words_[1].text);
    if (!version || *version == 0) return corrupt_void("bad version number");
    if (*version > kPlanFormatVersion) {
      return usage_error(
          fmt::format("the plan has format version {}, this Ravel reads up to {}", *version, kPlanFormatVersion), name_,
          "use a newer Ravel");
    }
    return {};
  }

  // --- pieces of a line; each returns false when it does not fit ---
  [[nodiscard]] bool count_is(std::size_t n) const { return words_.size() == n; }
  [[nodiscard]] bool word_is(std::size_t i, std::string_view text) const {
    return i < words_.size() && !words_[i].quoted && words_[i].text == text;
  }
  bool string(std::size_t i, std::string& out) const {
    if (i >= words_.size() || !words_[i].quoted) return false;
    out = words_[i].text;
    return true;
  }
  template <class T>
  bool number(std::size_t i, T& out) const {
    if (i >= words_.size() || words_[i].quoted) return false;
    const auto value = number_of<T>(words_[i].text);
    if (value) out = *value;
    return value.has_value();
  }
  template <class Enum, class Table>
  bool name(std::size_t i, const Table& table, Enum& out) const {
    if (i >= words_.size() || words_[i].quoted) return false;
    const auto index = index_of(table, words_[i].text);
    if (index) out = static_cast<Enum>(*index);
    return index.has_value();
  }
  // "function" +line:column at words i and i+1
  bool place(std::size_t i, PlaceName& out) const {
    if (!string(i, out.function) || i + 1 >= words_.size() || words_[i + 1].quoted) return false;
    std::string_view text = words_[i + 1].text;
    const std::size_t colon = text.find(':');
    if (text.empty() || text[0] != '+' || colon == std::string_view::npos) return false;
    const auto line = number_of<std::uint32_t>(text.substr(1, colon - 1));
    const auto column = number_of<std::uint32_t>(text.substr(colon + 1));
    if (!line || !column) return false;
    out.line = *line;
    out.column = *column;
    return true;
  }

  Result<void> read_line(const std::string& key) {
    if (key == "run" || key == "choose" || key == "end") return read_schedule_line(key);
    if (in_schedule_) return corrupt_void(fmt::format("`{}' inside the schedule", key));
    const bool repeats = key == "arg" || key == "racy" || key == "thread" || key == "region";
    if (!repeats && !seen_.insert(key).second) return corrupt_void(fmt::format("`{}' given twice", key));
    bool known = false;
    const bool fits = read_key(key, known);
    if (!known) return corrupt_void(fmt::format("unknown key `{}'", key));
    if (!fits) return corrupt_void(fmt::format("bad `{}' line", key));
    return {};
  }

  bool read_key(const std::string& key, bool& known) {
    known = true;
    PlanSpec& spec = plan_.spec;
    if (key == "program") return count_is(2) && string(1, plan_.program);
    if (key == "arg") {
      return count_is(2) && plan_.arguments.size() < kMaxPlanStrings && string(1, plan_.arguments.emplace_back());
    }
    if (key == "cwd") return count_is(2) && string(1, plan_.cwd);
    if (key == "stdin") return count_is(2) && string(1, plan_.stdin_path);
    if (key == "scratch") {
      plan_.scratch = true;
      return count_is(1);
    }
    if (key == "region") {
      return count_is(2) && plan_.regions.size() < kMaxPlanStrings && string(1, plan_.regions.emplace_back());
    }
    if (key == "build-id") return count_is(2) && string(1, plan_.build_id);
    if (key == "strategy") {
      return count_is(4) && string(1, plan_.strategy) && word_is(2, "version") && number(3, plan_.strategy_version);
    }
    if (key == "seed") return count_is(2) && number(1, plan_.seed);
    if (key == "policy") return count_is(2) && read_policy(spec.policy);
    if (key == "points") {
      return count_is(4) && name(1, kPointsNames, spec.points) && word_is(2, "version") &&
             number(3, spec.points_version);
    }
    if (key == "exclude") return read_classes();
    if (key == "racy") return read_racy();
    if (key == "timeouts") return count_is(2) && name(1, kTimeoutNames, spec.timeouts);
    if (key == "volatile") return count_is(2) && name(1, kVolatileNames, spec.volatiles);
    if (key == "waiters") return count_is(2) && name(1, kWaiterNames, spec.waiters);
    if (key == "faults") return read_faults();
    if (key == "explore") return count_is(2) && number(1, spec.explore_call) && spec.explore_call != 0;
    if (key == "data-seed") return count_is(2) && number(1, spec.data_seed) && spec.data_seed != 0;
    if (key == "max-steps") return count_is(2) && number(1, spec.max_steps);
    if (key == "expect-exit") return count_is(2) && read_exit();
    if (key == "outcome") {
      return (count_is(2) || (count_is(5) && word_is(2, "at") && place(3, plan_.outcome_place))) &&
             name(1, kOutcomeNames, plan_.outcome);
    }
    if (key == "message") return count_is(2) && string(1, plan_.message);
    if (key == "hash") return count_is(2) && number(1, plan_.hash);
    if (key == "events") return count_is(2) && number(1, plan_.events);
    if (key == "cost") {
      PlanCost& cost = plan_.cost.emplace();
      return count_is(5) && word_is(1, "preemptions") && number(2, cost.preemptions) && word_is(3, "switches") &&
             number(4, cost.switches);
    }
    if (key == "thread") return read_thread();
    if (key == "schedule") {
      in_schedule_ = true;
      return count_is(2) && number(1, announced_) && announced_ <= kMaxPlanSegments;
    }
    known = false;
    return false;
  }

  bool read_policy(PolicySpec& out) const {
    if (words_[1].quoted) return false;
    const auto policy = parse_policy(words_[1].text);
    if (policy) out = *policy;
    return policy.has_value();
  }

  bool read_exit() {
    std::uint32_t status = 0;
    if (!number(1, status) || status > 255) return false;
    plan_.expect_exit = static_cast<std::int32_t>(status);
    return true;
  }

  bool read_classes() {
    for (std::size_t i = 1; i < words_.size(); ++i) {
      const auto bit = class_bit(words_[i].text);
      if (!bit || words_[i].quoted) return false;
      plan_.spec.excluded_classes |= *bit;
    }
    return words_.size() > 1;
  }

  bool read_faults() {  // faults NAME... max N
    const std::size_t n = words_.size();
    if (n < 4 || !word_is(n - 2, "max") || !number(n - 1, plan_.spec.max_faults)) return false;
    for (std::size_t i = 1; i + 2 < n; ++i) {
      const auto bit = fault_bit(words_[i].text);
      if (!bit || words_[i].quoted) return false;
      plan_.spec.faults |= *bit;
    }
    return true;
  }

  bool read_racy() {  // racy "function" +2:5 in "symbol" #1 module "bank" 0x00001234
    if (!count_is(9) || plan_.racy.size() >= kMaxPlanRacy) return false;
    RacyPlace racy;
    if (!place(1, racy.place) || !word_is(3, "in") || !string(4, racy.symbol) || !word_is(5, "number") ||
        !number(6, racy.occurrence) || !string(7, racy.module) || !number(8, racy.location)) {
      return false;
    }
    plan_.racy.push_back(std::move(racy));
    return true;
  }

  bool read_thread() {  // thread 1 main.1 "name"
    std::uint32_t index = 0;
    if (!(count_is(3) || count_is(4)) || !number(1, index) || words_[2].quoted) return false;
    if (index != plan_.threads.size() || index >= kMaxPlanThreads || !is_lineage(words_[2].text)) return false;
    PlanThread thread;
    thread.lineage = words_[2].text;
    if (count_is(4) && !string(3, thread.name)) return false;
    if (!thread_index_.emplace(thread.lineage, index).second) return false;
    plan_.threads.push_back(std::move(thread));
    return true;
  }

  static bool is_lineage(std::string_view text) {
    if (text.substr(0, 4) != "main" || text.size() > 4096) return false;
    text.remove_prefix(4);
    while (!text.empty()) {
      if (text[0] != '.') return false;
      const std::size_t next = text.find('.', 1);
      const auto ordinal = number_of<std::uint32_t>(text.substr(1, next == std::string_view::npos ? next : next - 1));
      if (!ordinal || *ordinal == 0 || text[1] == '0') return false;
      text = next == std::string_view::npos ? std::string_view{} : text.substr(next);
    }
    return true;
  }

  Result<void> read_schedule_line(const std::string& key) {
    if (!in_schedule_) return corrupt_void(fmt::format("`{}' before `schedule'", key));
    if (key == "end") {
      if (!count_is(1)) return corrupt_void("bad `end' line");
      if (plan_.schedule.size() != announced_) {
        return corrupt_void(fmt::format("{} segments announced, {} found", announced_, plan_.schedule.size()));
      }
      ended_ = true;
      return {};
    }
    if (plan_.schedule.size() >= announced_) return corrupt_void("more segments than announced");
    PlanSegment segment;  // run main.1 x3 [at lock "f" +2:5]
    segment.is_data = key == "choose";
    bool fits = words_.size() >= 3 && !words_[1].quoted && !words_[2].quoted && words_[2].text.size() > 1 &&
                words_[2].text[0] == 'x';
    if (fits) {
      const auto count = number_of<std::uint32_t>(std::string_view(words_[2].text).substr(1));
      fits = count.has_value() && *count > 0;
      if (fits) segment.count = *count;
    }
    if (fits && segment.is_data) {
      fits = number(1, segment.choice) && segment.choice < kDataChoice;
    } else if (fits) {
      const auto thread = thread_index_.find(words_[1].text);
      if (thread == thread_index_.end()) return corrupt_void(fmt::format("unknown thread `{}'", words_[1].text));
      segment.choice = thread->second;
    }
    if (fits && words_.size() > 3) {
      fits = count_is(7) && word_is(3, "at") && !words_[4].quoted && place(5, segment.place);
      segment.operation = fits ? words_[4].text : "";
      fits = fits && std::any_of(std::begin(kOperationTable), std::end(kOperationTable),
                                 [&](const OperationRow& row) { return row.name == segment.operation; });
    }
    if (!fits) return corrupt_void(fmt::format("bad `{}' line", key));
    plan_.schedule.push_back(std::move(segment));
    return {};
  }

  Result<PlanFile> finish() {
    if (!ended_) return corrupt("the file ends too early (no `end' line)");
    for (std::string_view key : {"program", "cwd", "build-id", "strategy", "seed", "policy", "points", "timeouts",
                                 "max-steps", "outcome", "hash", "events"}) {
      if (seen_.count(std::string(key)) == 0) return corrupt(fmt::format("no `{}' line", key));
    }
    if (plan_.threads.empty() || plan_.threads[0].lineage != "main") return corrupt("thread 0 must be main");
    plan_.spec.prefix_segments = static_cast<std::uint32_t>(plan_.schedule.size());
    plan_.spec.racy_locations = static_cast<std::uint32_t>(plan_.racy.size());
    return std::move(plan_);
  }

  std::string_view text_;
  const std::string& name_;
  PlanFile plan_;
  std::size_t rest_ = 0;
  std::size_t at_ = 0;
  std::vector<Word> words_;
  std::set<std::string> seen_;
  std::unordered_map<std::string, std::uint32_t> thread_index_;
  std::uint32_t announced_ = 0;
  bool in_schedule_ = false;
  bool ended_ = false;
  bool bad_words_ = false;
};

std::string comment_text(std::string_view comment) {
  std::string text;
  for (char c : comment) text += static_cast<unsigned char>(c) < 0x20 || c == 0x7f ? ' ' : c;
  return text;
}

}  // namespace

std::vector<Segment> PlanFile::segments() const {
  std::vector<Segment> out;
  out.reserve(schedule.size());
  for (const PlanSegment& segment : schedule) {
    out.push_back({segment.is_data ? kDataChoice | segment.choice : segment.choice, segment.count});
  }
  return out;
}

std::string write_plan(const PlanFile& plan) {
  fmt::memory_buffer out;
  auto line = [&]<class... Args>(fmt::format_string<Args...> format, Args&&... args) {
    fmt::format_to(std::back_inserter(out), format, std::forward<Args>(args)...);
  };
  const PlanSpec& spec = plan.spec;
  line("{} {}\n# A schedule recorded by Ravel; run it with `ravel replay FILE'. Format: docs/plan-format.md\n", kHeader,
       kPlanFormatVersion);
  line("program {}\n", quote(plan.program));
  for (const std::string& argument : plan.arguments) line("arg {}\n", quote(argument));
  line("cwd {}\n", quote(plan.cwd));
  if (!plan.stdin_path.empty()) line("stdin {}\n", quote(plan.stdin_path));
  if (plan.scratch) line("scratch\n");
  for (const std::string& region : plan.regions) line("region {}\n", quote(region));
  line("build-id {}\n", quote(plan.build_id));
  line("strategy {} version {}\nseed {}\n", quote(plan.strategy), plan.strategy_version, plan.seed);
  line("policy {}\n", policy_text(spec.policy));
  line("points {} version {}\n", kPointsNames[static_cast<std::size_t>(spec.points)], spec.points_version);
  if (spec.excluded_classes != 0) line("exclude {}\n", class_names(spec.excluded_classes, " "));
  for (const RacyPlace& racy : plan.racy) {
    line("racy {} in {} number {} {} {:#x}\n", place_text(racy.place), quote(racy.symbol), racy.occurrence,
         quote(racy.module), racy.location);
  }
  line("timeouts {}\n", kTimeoutNames[static_cast<std::size_t>(spec.timeouts)]);
  if (spec.volatiles != VolatileMode::kPlain) {
    line("volatile {}\n", kVolatileNames[static_cast<std::size_t>(spec.volatiles)]);
  }
  if (spec.waiters != WaiterMode::kAny) line("waiters {}\n", kWaiterNames[static_cast<std::size_t>(spec.waiters)]);
  if (spec.faults != 0) line("faults {} max {}\n", fault_names(spec.faults, " "), spec.max_faults);
  if (spec.data_seed != 0) line("data-seed {}\n", spec.data_seed);
  line("max-steps {}\n", spec.max_steps);
  if (spec.explore_call != 0) line("explore {}\n", spec.explore_call);
  if (plan.expect_exit != 0) line("expect-exit {}\n", plan.expect_exit);
  line("outcome {}", outcome_name(plan.outcome));
  if (!plan.outcome_place.function.empty()) line(" at {}", place_text(plan.outcome_place));
  line("\n");
  if (!plan.message.empty()) line("message {}\n", quote(plan.message));
  line("hash {:#x}\nevents {}\n", plan.hash, plan.events);
  if (plan.cost) line("cost preemptions {} switches {}\n", plan.cost->preemptions, plan.cost->switches);
  for (std::size_t i = 0; i < plan.threads.size(); ++i) {
    line("thread {} {}", i, plan.threads[i].lineage);
    if (!plan.threads[i].name.empty()) line(" {}", quote(plan.threads[i].name));
    line("\n");
  }
  line("schedule {}\n", plan.schedule.size());
  for (const PlanSegment& segment : plan.schedule) {
    if (segment.is_data) {
      line("choose {} x{}", segment.choice, segment.count);
    } else {
      line("run {} x{}", plan.threads.at(segment.choice).lineage, segment.count);
    }
    if (!segment.operation.empty()) line(" at {} {}", segment.operation, place_text(segment.place));
    if (!segment.comment.empty()) line("  # {}", comment_text(segment.comment));
    line("\n");
  }
  line("end\n");
  return fmt::to_string(out);
}

Result<PlanFile> parse_plan(std::string_view text, const std::string& name) {
  return PlanParser(text, name).parse();
}

}  // namespace ravel
