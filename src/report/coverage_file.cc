// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Ravel authors
#include "report/coverage_file.h"

#include <fmt/format.h>

#include <cerrno>
#include <charconv>
#include <cstring>
#include <fstream>
#include <iterator>

#include "cover/metric_table.h"
#include "model/text/words.h"

namespace ravel {
namespace {

constexpr std::string_view kMagic = "ravel-coverage";
constexpr std::string_view kCompleteNames[] = {"no", "traces", "schedules"};
constexpr std::uint32_t kVersionWithoutNoise = 2;
constexpr std::size_t kMostBytes = std::size_t{1} << 30;
constexpr std::uint64_t kMostRepeats = 1u << 24;
constexpr std::size_t kMostInSets = std::size_t{1} << 27;

// Words hold no blanks; what is no printable character is written as %XX.
std::string encoded(std::string_view text) {
  std::string out;
  for (const char c : text) {
    const auto byte = static_cast<unsigned char>(c);
    if (byte <= 0x20 || byte >= 0x7f || c == '%') {
      out += fmt::format("%{:02x}", byte);
    } else {
      out += c;
    }
  }
  return out.empty() ? "%" : out;
}
std::optional<std::string> decoded(std::string_view word) {
  std::string out;
  if (word == "%") return out;
  for (std::size_t i = 0; i < word.size(); ++i) {
    if (word[i] != '%') {
      out += word[i];
      continue;
    }
    const auto nibble = [&](std::size_t at) {
      const char c = at < word.size() ? word[at] : '?';
      return c >= '0' && c <= '9' ? c - '0' : c >= 'a' && c <= 'f' ? c - 'a' + 10 : -1;
    };
    if (nibble(i + 1) < 0 || nibble(i + 2) < 0) return std::nullopt;
    out += static_cast<char>(nibble(i + 1) * 16 + nibble(i + 2));
    i += 2;
  }
  return out;
}

// Ranges: "0-4 7 9-10".
std::string ranges(const std::vector<std::uint32_t>& numbers) {
  std::string out;
  for (std::size_t i = 0; i < numbers.size();) {
    std::size_t last = i;
    while (last + 1 < numbers.size() && numbers[last + 1] == numbers[last] + 1) ++last;
    out += last == i ? fmt::format(" {}", numbers[i]) : fmt::format(" {}-{}", numbers[i], numbers[last]);
    i = last + 1;
  }
  return out;
}

class Reader {
 public:
  Reader(std::string_view text, const std::string& name, TaskCoverage& out)
      : text_(text), name_(name), coverage_(out), builder_(out) {}

  Result<void> read() {
    if (!next_line() || words_.size() != 2 || words_[0] != kMagic) return wrong("a file of coverage");
    const auto version = number_of<std::uint32_t>(words_[1]);
    if (!version) return wrong("a version");
    if (*version > kCoverageFormatVersion) {
      return usage_error("the coverage was written by a newer Ravel", fmt::format("{}: format {}", name_, *version),
                         fmt::format("this one reads format {}", kCoverageFormatVersion));
    }
    while (next_line()) {
      if (words_.empty()) continue;
      if (words_[0] == "end") return {};
      if (auto read = line(); !read) return read;
    }
    return usage_error("the coverage is truncated", name_, "the last line must be `end'");
  }

 private:
  bool next_line() {
    if (at_ >= text_.size()) return false;
    const std::size_t end = std::min(text_.find('\n', at_), text_.size());
    std::string_view rest = text_.substr(at_, end - at_);
    at_ = end + 1;
    ++line_;
    words_.clear();
    while (!rest.empty()) {
      const std::size_t begin = rest.find_first_not_of(" \t\r");
      if (begin == std::string_view::npos || rest[begin] == '#') break;
      rest.remove_prefix(begin);
      const std::size_t size = std::min(rest.find_first_of(" \t\r"), rest.size());
      words_.push_back(rest.substr(0, size));
      rest.remove_prefix(size);
    }
    return true;
  }

  tl::unexpected<Error> wrong(std::string_view expected) const {
    return usage_error("not a file of coverage", fmt::format("{}:{}: {} is expected", name_, line_, expected),
                       "docs/coverage-format.md describes it");
  }

  Result<void> line() {
    const std::string_view kind = words_[0];
    if (kind == "set") return set();
    if (kind == "runs") return runs();
    if (kind == "run") return run();
    if (kind == "task") return task();
    if (kind == "name") return name();
    if (kind == "thread") return seen(coverage_.threads, 2, 2 + kMostFirstFunctions);
    if (kind == "object") return seen(coverage_.objects, 3, 3);
    if (kind == "seen-truncated") {
      coverage_.seen_truncated = true;
      return {};
    }
    if (kind == "metric" || kind == "metrics") return metrics();
    if (kind == "truncated") {
      coverage_.truncated = true;
      return {};
    }
    return fact();
  }

  Result<void> fact() {
    if (words_.size() < 2) return wrong("a value");
    const auto value = decoded(words_[1]);
    if (!value) return wrong("a word");
    const std::string_view kind = words_[0];
    if (kind == "program") {
      coverage_.program = *value;
    } else if (kind == "build") {
      coverage_.build_id = *value;
    } else if (kind == "points") {
      coverage_.points = *value;
    } else if (kind == "identity") {
      coverage_.identity = *value;
    } else if (kind == "strategy") {
      coverage_.strategy = *value;
      coverage_.adaptive = words_.size() > 2 && words_[2] == "adaptive";
    } else if (kind == "functions-known") {
      const auto known = number_of<std::uint32_t>(*value, kMostFirstFunctions);
      if (!known) return wrong("a number of functions");
      coverage_.functions_known = *known;
    } else if (kind == "complete") {
      const auto index = index_of(kCompleteNames, *value);
      if (!index) return wrong("no, traces or schedules");
      coverage_.complete = static_cast<CoverComplete>(*index);
    } else if (kind == "function") {
      const auto hash = words_.size() == 3 ? number_of<std::uint64_t>(words_[2]) : std::nullopt;
      if (!hash) return wrong("a function and its hash");
      coverage_.functions[*value] = *hash;
    } else if (kind == "noise") {
      coverage_.noise = *value;
    } else if (kind == "injected") {
      const auto count = words_.size() == 3 ? number_of<std::uint64_t>(words_[2]) : std::nullopt;
      if (!count) return wrong("a place and a number of injections");
      coverage_.injected[*value] += *count;
    } else {
      return wrong("a known word at the start of the line");
    }
    return {};
  }

  Result<void> seen(std::set<std::vector<std::uint64_t>>& out, std::size_t least, std::size_t most) {
    if (words_.size() - 1 < least || words_.size() - 1 > most) return wrong("hashes");
    std::vector<std::uint64_t> one;
    for (std::size_t i = 1; i < words_.size(); ++i) {
      std::uint64_t hash = 0;
      const char* end = words_[i].data() + words_[i].size();
      const auto read = std::from_chars(words_[i].data(), end, hash, 16);
      if (read.ec != std::errc() || read.ptr != end) return wrong("a hash");
      one.push_back(hash);
    }
    out.insert(std::move(one));
    return {};
  }

  Result<void> metrics() {
    for (std::size_t i = 1; i < words_.size(); ++i) {
      std::string_view unknown;
      const auto bits = parse_metrics(words_[i], unknown);
      if (!bits) return wrong("a metric");
      coverage_.metrics |= *bits;
      for (const MetricRow& row : metric_table()) {
        if (row.name == words_[i]) metric_ = row.id;
      }
    }
    return {};
  }

  Result<void> name() {
    if (words_.size() < 2 || words_.size() > 4) return wrong("a name, its lasting form and its function");
    CoverName made;
    const auto text = decoded(words_[1]);
    const auto lasting = decoded(words_.size() > 2 ? words_[2] : words_[1]);
    const auto function = words_.size() > 3 ? decoded(words_[3]) : std::optional<std::string>(std::string());
    if (!text || !lasting || !function) return wrong("a word");
    names_.push_back(builder_.name({*text, *lasting, *function}));
    return {};
  }

  Result<void> task() {
    if (words_.size() < 3 || words_.size() > 3 + kMostFields) return wrong("a metric and the numbers of names");
    CoverTask made;
    for (const MetricRow& row : metric_table()) {
      if (row.name == words_[1]) made.metric = row.id;
    }
    if (made.metric == MetricId::kCount) return wrong("a metric");
    std::size_t first = 2;
    if (made.metric == MetricId::kSync) {
      for (std::size_t i = 0; i < static_cast<std::size_t>(OpKind::kCount); ++i) {
        if (op_name(static_cast<OpKind>(i)) == words_[2]) made.primitive = static_cast<OpKind>(i);
      }
      if (made.primitive == OpKind::kNone) return wrong("an operation");
      ++first;
    }
    if (words_.size() - first > kMostFields) return wrong("fewer fields");
    for (std::size_t i = first; i < words_.size(); ++i) {
      const auto field = number_of<std::uint32_t>(words_[i]);
      if (!field || *field >= names_.size()) return wrong("the number of a name");
      made.fields.push_back(names_[*field]);
    }
    if (made.fields.empty()) return wrong("the numbers of names");
    coverage_.metrics |= metric_bit(made.metric);
    tasks_.push_back(builder_.task(made));
    return {};
  }

  Result<void> set() {
    std::vector<std::uint32_t> made;
    for (std::size_t i = 1; i < words_.size(); ++i) {
      const std::size_t dash = words_[i].find('-');
      const auto first = number_of<std::uint32_t>(words_[i].substr(0, dash));
      const auto last = dash == std::string_view::npos ? first : number_of<std::uint32_t>(words_[i].substr(dash + 1));
      if (!first || !last || *first > *last || *last >= tasks_.size()) return wrong("numbers of tasks");
      in_sets_ += *last - *first + 1;
      if (in_sets_ > kMostInSets) return wrong("fewer tasks in all sets together");
      for (std::uint32_t task = *first; task <= *last; ++task) made.push_back(tasks_[task]);
    }
    sets_.push_back(builder_.set(std::move(made)));
    return {};
  }

  // "3", "3x40", "3!": a set, how often, and that it failed.
  Result<void> runs() {
    for (std::size_t i = 1; i < words_.size(); ++i) {
      std::string_view word = words_[i];
      const bool failed = word.ends_with('!');
      if (failed) word.remove_suffix(1);
      const std::size_t times_at = word.find('x');
      const auto set = number_of<std::uint32_t>(word.substr(0, times_at));
      const auto times = times_at == std::string_view::npos ? std::optional<std::uint64_t>(1)
                                                            : number_of<std::uint64_t>(word.substr(times_at + 1));
      const bool good = set && times && *set < sets_.size() && *times != 0 &&
                        *times <= kMostRepeats - std::min<std::uint64_t>(kMostRepeats, coverage_.runs.size());
      if (!good) return wrong("a set, or a set and how often");
      for (std::uint64_t k = 0; k < *times; ++k) builder_.run(sets_[*set], failed);
    }
    return {};
  }

  // By hand: the tasks themselves.
  Result<void> run() {
    if (metric_ == MetricId::kCount) return wrong("`metric NAME' before the first run");
    std::size_t first = 1;
    const bool failed = words_.size() > 1 && words_[1] == "failed";
    if (failed) ++first;
    std::vector<std::uint32_t> made;
    for (std::size_t i = first; i < words_.size(); ++i) {
      const auto text = decoded(words_[i]);
      if (!text) return wrong("a word");
      CoverTask task;
      task.metric = metric_;
      std::string_view rest = *text;
      while (task.fields.size() < kMostFields) {
        const std::size_t comma = rest.find(';');
        const std::string field(rest.substr(0, comma));
        task.fields.push_back(builder_.name({field, field, {}}));
        if (comma == std::string_view::npos) break;
        rest.remove_prefix(comma + 1);
      }
      made.push_back(builder_.task(task));
    }
    builder_.run(builder_.set(std::move(made)), failed);
    return {};
  }

  std::string_view text_;
  const std::string& name_;
  TaskCoverage& coverage_;
  CoverageBuilder builder_;
  std::size_t at_ = 0;
  std::size_t line_ = 0;
  std::vector<std::string_view> words_;
  std::vector<std::uint32_t> names_;  // by the numbers of the file
  std::vector<std::uint32_t> tasks_;
  std::vector<std::uint32_t> sets_;
  std::size_t in_sets_ = 0;
  MetricId metric_ = MetricId::kCount;
};

std::string runs_text(const TaskCoverage& coverage) {
  std::string out;
  const auto& runs = coverage.runs;
  for (std::size_t i = 0, on_line = 0; i < runs.size(); ++on_line) {
    std::size_t last = i;
    while (last + 1 < runs.size() && runs[last + 1].set == runs[i].set && runs[last + 1].failed == runs[i].failed)
      ++last;
    out += on_line % 32 == 0 ? (on_line == 0 ? "runs" : "\nruns") : "";
    out += fmt::format(" {}", runs[i].set);
    if (last != i) out += fmt::format("x{}", last - i + 1);
    if (runs[i].failed) out += "!";
    i = last + 1;
  }
  return out.empty() ? out : out + "\n";
}

}  // namespace

std::string coverage_text(const TaskCoverage& coverage) {
  // Files without noise stay readable for those who do not know it.
  const std::uint32_t version = coverage.noise.empty() ? kVersionWithoutNoise : kCoverageFormatVersion;
  std::string out = fmt::format("{} {}\n", kMagic, version);
  out += fmt::format("program {}\nbuild {}\n", encoded(coverage.program), encoded(coverage.build_id));
  out += fmt::format("strategy {} {}\n", encoded(coverage.strategy), coverage.adaptive ? "adaptive" : "independent");
  out += fmt::format("points {}\nidentity {}\n", encoded(coverage.points), encoded(coverage.identity));
  if (!coverage.noise.empty()) out += fmt::format("noise {}\n", encoded(coverage.noise));
  for (const auto& [place, count] : coverage.injected) out += fmt::format("injected {} {}\n", encoded(place), count);
  out += fmt::format("complete {}\n", kCompleteNames[static_cast<std::size_t>(coverage.complete)]);
  if (coverage.truncated) out += "truncated\n";
  out += "metrics";
  for (const MetricRow& row : metric_table()) {
    if ((coverage.metrics & metric_bit(row.id)) != 0) out += fmt::format(" {}", row.name);
  }
  out += "\n";
  if (coverage.functions_known != 0) out += fmt::format("functions-known {}\n", coverage.functions_known);
  if (coverage.seen_truncated) out += "seen-truncated\n";
  for (const auto& one : coverage.threads) out += fmt::format("thread {:x}\n", fmt::join(one, " "));
  for (const auto& one : coverage.objects) out += fmt::format("object {:x}\n", fmt::join(one, " "));
  for (const auto& [function, hash] : coverage.functions)
    out += fmt::format("function {} {}\n", encoded(function), hash);
  for (const CoverName& name : coverage.names) {
    out += fmt::format("name {} {}", encoded(name.text), encoded(name.lasting));
    out += name.function.empty() ? "\n" : fmt::format(" {}\n", encoded(name.function));
  }
  for (const CoverTask& task : coverage.tasks) {
    out += fmt::format("task {}", metric_table()[static_cast<std::size_t>(task.metric)].name);
    if (task.metric == MetricId::kSync) {
      out += fmt::format(" {}", op_name(task.primitive == OpKind::kNone ? OpKind::kMutexLock : task.primitive));
    }
    for (const std::uint32_t field : task.fields) out += fmt::format(" {}", field);
    out += "\n";
  }
  for (const auto& set : coverage.sets) out += fmt::format("set{}\n", ranges(set));
  return out + runs_text(coverage) + "end\n";
}

Result<TaskCoverage> parse_coverage(std::string_view text, const std::string& name) {
  TaskCoverage coverage;
  if (text.size() > kMostBytes) return usage_error("the file of coverage is too large", name);
  if (auto read = Reader(text, name, coverage).read(); !read) return tl::make_unexpected(read.error());
  return coverage;
}

Result<TaskCoverage> read_coverage(const std::string& path) {
  std::ifstream file(path, std::ios::binary);
  if (!file) return usage_error("cannot read the coverage", path, std::strerror(errno));
  const std::string text(std::istreambuf_iterator<char>(file), {});
  if (!file && !file.eof()) return usage_error("cannot read the coverage", path, std::strerror(errno));
  return parse_coverage(text, path);
}

}  // namespace ravel
