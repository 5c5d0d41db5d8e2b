// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Ravel authors
#include "report/suppressions.h"

#include <fmt/format.h>

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <iterator>

#include "detect/detector_table.h"

namespace ravel {
namespace {

constexpr std::size_t kMaxFileBytes = 1u << 20;
bool is_type(std::string_view type) {
  if (type == "race" || type == "race_top" || type == "called_from_lib" || type == "mutex" || type == "*") return true;
  for (std::size_t i = 0; i < static_cast<std::size_t>(OutcomeKind::kCount); ++i) {
    const auto kind = static_cast<OutcomeKind>(i);
    if (is_defect(kind) && outcome_name(kind) == type) return true;
  }
  return find_detector(type) != nullptr;
}

bool has_type(const Suppression& one, std::string_view kind, std::string_view detector) {
  if (one.type == "*" || one.type == kind || (!detector.empty() && one.type == detector)) return true;
  if (one.type == "race" || one.type == "race_top" || one.type == "called_from_lib")
    return kind == outcome_name(OutcomeKind::kDataRace);
  if (one.type == "deadlock") return kind == outcome_name(OutcomeKind::kPotentialDeadlock);
  return one.type == "mutex" && kind == outcome_name(OutcomeKind::kMisuse);
}

std::string_view trimmed(std::string_view text) {
  const std::size_t begin = text.find_first_not_of(" \t\r");
  if (begin == std::string_view::npos) return {};
  return text.substr(begin, text.find_last_not_of(" \t\r") - begin + 1);
}

// The libraries that the callers of an event are in.
std::vector<std::string> callers_libraries(const Event& event, Names& names) {
  const ExecutionRecord& record = names.record();
  std::vector<std::string> out;
  ContextId context = event.context;
  for (int depth = 0; context != 0 && context < record.contexts.size() && depth < kMaxContextDepth; ++depth) {
    const std::uint32_t slot = module_slot(record.contexts[context].call);
    if (slot != 0 && slot < record.modules.size()) out.push_back(record.modules[slot].path);
    context = record.contexts[context].parent;
  }
  return out;
}

// What a pattern is looked for in, of one event: the innermost function first, and by itself if that is all there is to
// be looked at.
std::vector<std::string> subjects_of(const Event& event, Names& names, bool top) {
  const ExecutionRecord& record = names.record();
  std::vector<std::string> out;
  const auto add = [&](LocationId at) {
    if (module_slot(at) >= record.modules.size()) return;
    for (const Frame& frame : names.symbolizer().frames(at)) {
      out.push_back(frame.function);
      if (top) return;
      out.push_back(frame.file);
    }
    out.push_back(record.modules[module_slot(at)].path);
  };
  add(event.location);
  if (top) return out;
  ContextId context = event.context;
  for (int depth = 0; context != 0 && context < record.contexts.size() && depth < kMaxContextDepth; ++depth) {
    add(record.contexts[context].call);
    context = record.contexts[context].parent;
  }
  if (event.object != 0) out.push_back(names.object_text(event.object, event.offset));
  return out;
}

std::vector<Event> events_of_outcome(const ExecutionRecord& record) {
  std::vector<Event> events;
  const auto add = [&](LocationId location, ContextId context, ObjectId object, std::uint32_t offset) {
    Event event;
    event.location = location;
    event.context = context;
    event.object = object;
    event.offset = offset;
    events.push_back(event);
  };
  // Who waits says more than who came to see it.
  for (const WaitingRecord& waiting : record.waiting) {
    add(waiting.location, waiting.context, waiting.object, waiting.offset);
  }
  if (events.empty()) add(record.location, record.context, 0, 0);
  return events;
}

}  // namespace

bool matches_whole(std::string_view pattern, std::string_view text) {
  std::size_t p = 0;
  std::size_t t = 0;
  std::size_t star = std::string_view::npos;
  std::size_t resume = 0;
  while (t < text.size()) {
    if (p < pattern.size() && pattern[p] == '*') {
      star = p++;
      resume = t;
    } else if (p < pattern.size() && pattern[p] == text[t]) {
      ++p;
      ++t;
    } else if (star != std::string_view::npos) {
      p = star + 1;
      t = ++resume;
    } else {
      return false;
    }
  }
  while (p < pattern.size() && pattern[p] == '*') ++p;
  return p == pattern.size();
}

bool matches_pattern(std::string_view pattern, std::string_view text) {
  std::string whole;
  const bool from_begin = !pattern.empty() && pattern.front() == '^';
  if (from_begin) pattern.remove_prefix(1);
  const bool to_end = !pattern.empty() && pattern.back() == '$';
  if (to_end) pattern.remove_suffix(1);
  if (!from_begin) whole += '*';
  whole += pattern;
  if (!to_end) whole += '*';
  return matches_whole(whole, text);
}

Result<void> Suppressions::add_file(const std::string& path, bool shipped) {
  std::error_code ignored;
  std::ifstream file(path, std::ios::binary);
  if (!file) return tl::make_unexpected(Error{ErrorKind::kUsage, "cannot read suppressions", path, "is it there?"});
  if (std::filesystem::is_directory(path, ignored)) {
    return tl::make_unexpected(Error{ErrorKind::kUsage, "cannot read suppressions", path, "it is a folder"});
  }
  std::string text(kMaxFileBytes + 1, '\0');  // some files never end
  file.read(text.data(), static_cast<std::streamsize>(text.size()));
  text.resize(static_cast<std::size_t>(file.gcount()));
  if (text.size() > kMaxFileBytes) {
    return tl::make_unexpected(Error{ErrorKind::kUsage, "too many suppressions", path, "at most 1 MB"});
  }
  return add_text(text, path, shipped);
}

Result<void> Suppressions::add_text(std::string_view text, const std::string& name, bool shipped) {
  unsigned number = 0;
  while (!text.empty()) {
    const std::size_t end = text.find('\n');
    std::string_view line = trimmed(text.substr(0, end));
    text = end == std::string_view::npos ? std::string_view() : text.substr(end + 1);
    ++number;
    if (line.empty() || line[0] == '#') continue;
    const std::string where = fmt::format("{}:{}", name, number);
    const std::size_t colon = line.find(':');
    const std::string_view type = line.substr(0, colon);
    if (colon == std::string_view::npos || trimmed(line.substr(colon + 1)).empty()) {
      return tl::make_unexpected(Error{ErrorKind::kUsage, "not a suppression", where, "write class:pattern"});
    }
    if (!is_type(type)) {
      return tl::make_unexpected(Error{ErrorKind::kUsage, fmt::format("no class `{}' of findings", type), where,
                                       "race, deadlock, lost-signal, ...: see `ravel list'"});
    }
    list_.push_back({std::string(type), std::string(trimmed(line.substr(colon + 1))), where, shipped, 0});
  }
  return {};
}

bool Suppressions::matches(std::string_view kind, std::string_view detector, const std::vector<Event>& events,
                           Names& names) {
  for (Suppression& one : list_) {
    if (!has_type(one, kind, detector)) continue;
    for (const Event& event : events) {
      const std::vector<std::string> subjects = one.type == "called_from_lib"
                                                    ? callers_libraries(event, names)
                                                    : subjects_of(event, names, one.type == "race_top");
      const bool hit = std::any_of(subjects.begin(), subjects.end(), [&](const std::string& subject) {
        return !subject.empty() && matches_pattern(one.pattern, subject);
      });
      if (!hit) continue;
      ++one.used;
      return true;
    }
  }
  return false;
}

void Suppressions::leave_out(ExecutionRecord& record, Names& names) {
  if (list_.empty()) return;
  const auto race = [&](const RaceRecord& found) {
    return matches(outcome_name(OutcomeKind::kDataRace), "data-race", {found.first, found.second}, names);
  };
  record.races.erase(std::remove_if(record.races.begin(), record.races.end(), race), record.races.end());
  const auto detection = [&](const DetectionRecord& found) {
    std::vector<Event> events;
    for (unsigned i = 0; i < found.roles && i < kMaxRoles; ++i) events.push_back(found.role[i].event);
    const std::string_view detector =
        found.detector < detector_table().size() ? detector_table()[found.detector].name : std::string_view();
    return matches(outcome_name(found.kind), detector, events, names);
  };
  record.detections.erase(std::remove_if(record.detections.begin(), record.detections.end(), detection),
                          record.detections.end());
}

bool Suppressions::covers_outcome(Names& names) {
  if (list_.empty()) return false;
  return matches(outcome_name(names.record().outcome), {}, events_of_outcome(names.record()), names);
}

bool Suppressions::concerns_outcomes() const {
  return std::any_of(list_.begin(), list_.end(), [](const Suppression& one) {
    return one.type != "race" && one.type != "race_top" && one.type != "called_from_lib" &&
           find_detector(one.type) == nullptr;
  });
}

std::vector<std::string> Suppressions::notes() const {
  std::vector<std::string> out;
  for (const Suppression& one : list_) {
    if (one.used != 0) out.push_back(fmt::format("left out by {}:{} ({})", one.type, one.pattern, one.where));
    if (one.used == 0 && !one.shipped)
      out.push_back(fmt::format("suppression {}:{} ({}) matched nothing", one.type, one.pattern, one.where));
  }
  return out;
}

}  // namespace ravel
