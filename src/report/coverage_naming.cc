// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Ravel authors
#include "report/coverage_naming.h"

#include <fmt/format.h>

#include <algorithm>
#include <filesystem>
#include <map>
#include <set>

#include "base/hash.h"
#include "model/text/printable.h"
#include "report/names.h"
#include "report/source_function.h"

namespace ravel {
namespace {

// "[2]" -> "[]": all elements of an array are one variable.
std::string without_indices(const std::string& text) {
  std::string out;
  bool inside = false;
  for (const char c : text) {
    if (c == ']') inside = false;
    if (!inside) out += c;
    if (c == '[') inside = true;
  }
  return out;
}

// What std::thread runs: the text between the outermost brackets of its tuple.
std::string invoked(const std::string& type) {
  const std::size_t tuple = type.find("std::tuple<");
  if (tuple == std::string::npos) return type;
  std::size_t depth = 1;
  const std::size_t begin = tuple + 11;
  std::size_t end = begin;
  for (; end < type.size() && depth != 0; ++end) depth += type[end] == '<' ? 1 : type[end] == '>' ? -1 : 0;
  return type.substr(begin, end - begin - 1);
}

// Names of one job's atoms.
class AtomNamer {
 public:
  AtomNamer(const CoverageData& data, TaskCoverage& coverage, const Trace* trace)
      : data_(data), coverage_(coverage), builder_(coverage), trace_(trace) {
    std::error_code ignored;
    cwd_ = std::filesystem::current_path(ignored).string();
    for (unsigned slot = 0; slot < data.modules.size(); ++slot) {
      symbolizer_.set_module(slot, data.modules[slot].path, data.modules[slot].base);
    }
    number_places();
  }

  void add_all() {
    std::vector<std::uint32_t> tasks;
    for (const TaskRecord& task : data_.tasks) tasks.push_back(task_of(task));
    std::map<std::uint32_t, std::uint32_t> sets;
    for (const std::uint32_t run : data_.runs) {
      const std::uint32_t at = run & ~kFailedRun;
      const auto [known, fresh] = sets.try_emplace(at);
      if (fresh) known->second = set_of(at, tasks);
      builder_.run(known->second, (run & kFailedRun) != 0);
    }
    coverage_.truncated = coverage_.truncated || data_.truncated;
    if (trace_ == nullptr) count_seen();
  }

 private:
  static constexpr std::uint32_t kNoTask = 0xffffffffu;

  void count_seen() {
    for (const ThreadIdentityRecord& record : data_.seen_threads) {
      std::uint64_t hash = hash_bytes(0, record.is_main != 0 ? std::string("main") : type_of(record));
      std::vector<std::uint64_t> one = {std::uint64_t{record.ordinal} << 32 | record.parent, hash};
      for (std::uint32_t i = 0; i < record.functions; ++i) {
        hash = hash_bytes(hash, function_at(record.first[i]));
        one.push_back(hash);
      }
      coverage_.threads.insert(std::move(one));
    }
    for (const ObjectIdentityRecord& record : data_.seen_objects) coverage_.objects.insert(hashes_of(record));
    coverage_.seen_truncated = coverage_.seen_truncated || data_.seen_truncated;
  }
  // By itself, by its type, by where it was made. Parts of modules are variables; what else has no maker is itself.
  std::vector<std::uint64_t> hashes_of(const ObjectIdentityRecord& record) {
    const std::uint64_t kind = static_cast<std::uint64_t>(record.kind) + 1;
    if (record.kind == ObjectKind::kHeap) {
      const std::uint64_t owner = std::uint64_t{record.id} << 32 | record.owner;
      const std::uint64_t site = hash_bytes(kind, place(record.site).lasting);
      return {hash_combine(hash_combine(owner, record.ordinal), kind), hash_combine(kind, record.size), site};
    }
    std::uint64_t self = hash_combine(hash_combine(kind, record.owner), record.size);
    if (record.kind == ObjectKind::kModule) {
      const GlobalName global = symbolizer_.member(record.owner, record.size);
      if (!global.name.empty()) self = hash_bytes(kind, global.name);
    } else {
      self = hash_combine(self, record.ordinal);
    }
    return {self, record.kind == ObjectKind::kModule ? self : kind, self};
  }

  std::uint32_t set_of(std::uint32_t at, const std::vector<std::uint32_t>& tasks) {
    std::vector<std::uint32_t> set;
    for (std::uint32_t i = 1; i <= data_.run_words[at]; ++i) {
      const std::uint32_t task = tasks[data_.run_words[at + i]];
      if (task != kNoTask) set.push_back(task);
    }
    return builder_.set(std::move(set));
  }

  std::uint32_t task_of(const TaskRecord& record) {
    if (record.metric == MetricId::kCount) return kNoTask;
    CoverTask task;
    task.metric = record.metric;
    if (record.metric == MetricId::kInterrupt) {
      task.fields = interrupted(record);
    } else {
      for (unsigned i = 0; i < record.fields; ++i) task.fields.push_back(builder_.name(name_of(record.field[i])));
    }
    if (record.metric == MetricId::kSync) task.primitive = static_cast<OpKind>(value_of(record.field[1]) >> 8);
    return builder_.task(task);
  }

  CoverFields interrupted(const TaskRecord& record) {
    const CoverName function = function_of(record.field[0]);
    const bool alone = kind_of(record.field[1]) == AtomKind::kNothing;
    const bool same = !alone && function_of(record.field[1]).lasting == function.lasting;
    const std::string by = alone ? "no" : same ? "same" : "other";
    return {builder_.name(function), builder_.name({by, by, {}})};
  }
  CoverName function_of(Atom atom) {
    const CoverName place = name_of(atom);
    return place.function.empty() ? place : CoverName{cover_word(place.function), place.function, place.function};
  }

  CoverName name_of(Atom atom) {
    const auto known = names_.find(atom);
    if (known != names_.end()) return known->second;
    CoverName name = make_name(atom);
    name.text = cover_word(name.text);
    name.lasting = cover_word(name.lasting);
    return names_.emplace(atom, std::move(name)).first->second;
  }

  CoverName make_name(Atom atom) {
    switch (kind_of(atom)) {
      case AtomKind::kNothing:
        break;
      case AtomKind::kPlace:
        return place(static_cast<LocationId>(value_of(atom)));
      case AtomKind::kThread:
      case AtomKind::kThreadType:
        return thread(static_cast<std::uint32_t>(value_of(atom)), kind_of(atom) == AtomKind::kThreadType);
      case AtomKind::kObject:
        return object(atom);
      case AtomKind::kSet:
        return set(atom);
      case AtomKind::kWord: {
        const std::string word(kCoverWords[value_of(atom) & 0xff]);
        return {word, word, {}};
      }
    }
    return {"-", "-", {}};
  }

  const Frame& user_frame(LocationId location) {
    const std::vector<Frame>& frames = symbolizer_.frames(location);
    for (const Frame& frame : frames) {
      if (frame.line != 0 && !frame.in_system_header) return frame;
    }
    return frames.front();
  }

  // Operations that share function, line and column are distinguished by their order in the code.
  void number_places() {
    std::set<LocationId> all;
    const auto note = [&](Atom atom) {
      if (kind_of(atom) == AtomKind::kPlace) all.insert(static_cast<LocationId>(value_of(atom)));
    };
    for (const TaskRecord& task : data_.tasks) {
      for (unsigned i = 0; i < task.fields; ++i) note(task.field[i]);
    }
    if (trace_ != nullptr) return;
    std::map<std::string, std::uint32_t> counts;
    for (const LocationId location : all) {
      const Frame& frame = user_frame(location);
      ordinals_[location] = ++counts[fmt::format("{}+{}:{}", frame.function, frame.line_in_function(), frame.column)];
    }
  }

  CoverName place(LocationId location) {
    if (trace_ != nullptr) {
      const std::uint32_t number = location - kNamedLocation;
      const std::string text = location >= kNamedLocation && number < trace_->locations.size()
                                   ? trace_->locations[number]
                                   : fmt::format("#{}", location);
      return {text, text, {}};
    }
    const Frame& frame = user_frame(location);
    if (frame.line == 0) {
      const std::string text = frame.function.empty()
                                   ? fmt::format("{}+{:#x}", module_slot(location), module_offset(location))
                                   : frame.function;
      return {text, fmt::format("{}.{}", text, ordinals_[location]), frame.function};
    }
    if (!frame.function.empty()) {
      const std::string function = cover_word(frame.function);
      if (coverage_.functions.count(function) == 0) {
        coverage_.functions[function] = sources_.hash(frame.file, frame.start_line);
      }
    }
    return {fmt::format("{}:{}", short_path(frame.file, cwd_), frame.line),
            fmt::format("{}+{}:{}.{}", frame.function, frame.line_in_function(), frame.column, ordinals_[location]),
            cover_word(frame.function)};
  }

  std::string function_at(LocationId location) {
    for (const Frame& frame : symbolizer_.frames(location)) {
      if (!frame.function.empty() && !frame.in_system_header) return frame.function;
    }
    return symbolizer_.frames(location).front().function;
  }
  bool is_user_function(LocationId location) {
    const std::vector<Frame>& frames = symbolizer_.frames(location);
    return std::any_of(frames.begin(), frames.end(),
                       [](const Frame& frame) { return frame.line != 0 && !frame.in_system_header; });
  }

  std::string type_of(const ThreadIdentityRecord& record) {
    if (record.type == 0) return "thread";
    const GlobalName table = symbolizer_.global(module_slot(record.type), module_offset(record.type));
    if (table.name.compare(0, 11, "vtable for ") == 0) return invoked(table.name);
    const std::string function = symbolizer_.frames(record.type + 1).front().function;
    return function.empty() ? "thread" : function;
  }

  CoverName thread(std::uint32_t row, bool type_only) {
    const ThreadIdentityRecord& record = data_.threads[row];
    if (trace_ != nullptr) {
      const bool known = record.ordinal < trace_->thread_names.size();
      const std::string text = known ? trace_->thread_names[record.ordinal] : fmt::format("T{}", record.ordinal);
      return {text, text, {}};
    }
    if (record.is_main != 0 && record.functions == 0) return {"main", "main", {}};
    if (record.type == 0 && record.ordinal != 0) {
      const CoverName parent = thread(record.parent, false);
      return {
          fmt::format("{}.{}", parent.text, record.ordinal), fmt::format("{}.{}", parent.lasting, record.ordinal), {}};
    }
    const std::string type = record.is_main != 0 ? "main" : type_of(record);
    std::uint64_t hash = 0;
    std::string first;
    for (std::uint32_t i = 0; i < record.functions; ++i) {
      const std::string function = function_at(record.first[i]);
      hash = hash_bytes(hash, function);
      if (first.empty() && is_user_function(record.first[i])) first = function.substr(0, function.find('('));
    }
    if (type_only || record.functions == 0) return {type, type, {}};
    const std::string tail = fmt::format("#{:04x}", hash & 0xffff);
    return {(first.empty() ? type : first) + tail, fmt::format("{}#{:016x}", type, hash), {}};
  }

  CoverName object(Atom atom) {
    const ObjectIdentityRecord& record = data_.objects[object_row(atom)];
    const auto part = static_cast<std::uint32_t>(value_of(atom));
    const bool sized = (value_of(atom) & kSizedPart) != 0;
    const auto plus = [](std::uint32_t n) { return n == 0 ? std::string{} : fmt::format("+{}", n); };
    if (trace_ != nullptr) {
      const bool known = record.id < trace_->object_names.size() && !trace_->object_names[record.id].empty();
      const std::string text = (known ? trace_->object_names[record.id] : fmt::format("o{}", record.id)) + plus(part);
      return {text, text, {}};
    }
    std::string real =
        record.kind != ObjectKind::kModule && record.ordinal != 0 ? fmt::format("#{}", record.ordinal) : "";
    const bool owned = record.kind == ObjectKind::kHeap && record.owner != 0 && record.owner <= data_.threads.size();
    if (owned) real += "@" + thread(record.owner - 1, false).lasting;
    switch (record.kind) {
      case ObjectKind::kModule: {
        const GlobalName global = symbolizer_.member(record.owner, part);
        const std::string text = global.name.empty() ? fmt::format("{}+{:#x}", record.owner, part)
                                                     : without_indices(global.name + global.member) +
                                                           plus(static_cast<std::uint32_t>(global.rest));
        return {text, text, {}};
      }
      case ObjectKind::kHeap: {
        const std::string field = sized ? fmt::format("[].{}", part) : plus(part);
        if (record.site == 0) {
          const std::string text = fmt::format("heap({}){}", record.size, field);
          return {text, text, {}};
        }
        const CoverName site = place(record.site);
        return {fmt::format("heap@{}{}{}", site.text, real, field),
                fmt::format("heap@{}{}{}", site.lasting, real, field),
                {}};
      }
      case ObjectKind::kStack: {
        const std::string local = local_name(part);
        const std::string text = local.empty() ? fmt::format("stack-{}", part) : local;
        return {text, text, {}};
      }
      case ObjectKind::kTls: {
        const std::string text = fmt::format("tls-{}", part);
        return {text, text, {}};
      }
      case ObjectKind::kChannel:
      case ObjectKind::kOther: {
        const std::string text =
            fmt::format("{}{}{}", record.kind == ObjectKind::kOther ? "memory" : "channel", record.ordinal, plus(part));
        return {text, text, {}};
      }
      case ObjectKind::kUnknown:
        break;
    }
    return {"?", "?", {}};
  }

  // A local variable at this distance from the upper end of its stack, if the last execution had one there.
  std::string local_name(std::uint32_t below_top) {
    for (const StackPlaceRecord& place : data_.stack_places) {
      if (place.object >= data_.objects_seen.size() || place.frame == 0) continue;
      const ObjectRecord& stack = data_.objects_seen[place.object];
      if (stack.kind != ObjectKind::kStack || stack.size - place.offset != below_top) continue;
      const LocalVariable local = symbolizer_.local(place.function, std::int64_t{place.frame} - place.offset,
                                                    std::int64_t{place.offset} - place.stack);
      if (!local.name.empty())
        return without_indices(local.name) + (local.rest == 0 ? "" : fmt::format("+{}", local.rest));
    }
    return {};
  }

  CoverName set(Atom atom) {
    std::set<std::string> texts;
    std::set<std::string> lasting;
    for (const Atom member : data_.set(atom)) {
      const CoverName name = name_of(member);
      texts.insert(name.text);
      lasting.insert(name.lasting);
    }
    return {fmt::format("{{{}}}", fmt::join(texts, ",")), fmt::format("{{{}}}", fmt::join(lasting, ",")), {}};
  }

  const CoverageData& data_;
  TaskCoverage& coverage_;
  CoverageBuilder builder_;
  const Trace* trace_;
  Symbolizer symbolizer_;
  SourceFunctions sources_;
  std::string cwd_;
  std::map<LocationId, std::uint32_t> ordinals_;
  std::unordered_map<Atom, CoverName> names_;
};

}  // namespace

std::string cover_word(std::string_view text) {
  std::string out;
  for (const char c : printable_line(text)) {
    if (c == ' ' && !out.empty() && (out.back() == ',' || out.back() == '_')) continue;
    out += c == ' ' ? '_' : c;
  }
  return out.empty() ? "-" : out;
}

void name_coverage(const std::vector<CoverageData>& parts, TaskCoverage& coverage) {
  for (const CoverageData& part : parts) AtomNamer(part, coverage, nullptr).add_all();
}

void name_coverage(const CoverageData& data, const Trace& trace, TaskCoverage& coverage) {
  AtomNamer(data, coverage, &trace).add_all();
}

}  // namespace ravel
