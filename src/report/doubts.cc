// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Ravel authors
#include "report/doubts.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <string_view>

namespace ravel {
namespace {

constexpr int kMaxDepth = 256;

std::string_view file_name(std::string_view path) {
  return path.substr(path.rfind('/') + 1);
}

// What they synchronise is intercepted.
bool is_runtime_library(std::string_view path) {
  constexpr std::array<std::string_view, 9> kKnown = {"libc.so",      "libstdc++.so",  "libm.so",
                                                      "libgcc_s.so",  "libpthread.so", "ld-linux",
                                                      "libravel_rt.", "libc++.so",     "libc++abi.so"};
  const std::string_view name = file_name(path);
  return std::any_of(kKnown.begin(), kKnown.end(), [&](std::string_view known) { return name.starts_with(known); });
}

// The places of an event and of all its callers.
std::vector<LocationId> places_of(const ExecutionRecord& record, const Event& event) {
  std::vector<LocationId> places = {event.location};
  ContextId context = event.context;
  for (int depth = 0; context != 0 && context < record.contexts.size() && depth < kMaxDepth; ++depth) {
    places.push_back(record.contexts[context].call);
    context = record.contexts[context].parent;
  }
  return places;
}

}  // namespace

const ObjectFacts& Doubts::facts_of(const std::string& path) {
  const auto known = facts_.find(path);
  return known != facts_.end() ? known->second : facts_.emplace(path, object_facts(path)).first->second;
}

std::vector<std::string> Doubts::unseen_callers(Names& names, const Event& event) {
  const ExecutionRecord& record = names.record();
  std::vector<std::string> found;
  for (const LocationId place : places_of(record, event)) {
    const std::uint32_t slot = module_slot(place);
    if (place == 0 || slot == 0 || slot >= record.modules.size()) continue;
    const std::string& path = record.modules[slot].path;
    if (is_runtime_library(path)) continue;
    const ObjectFacts& facts = facts_of(path);
    if (facts.has_atomics && !facts.instrumented) found.push_back(path);
  }
  return found;
}

std::string Doubts::uncontrolled_near(Names& names, const Event& event) {
  const ExecutionRecord& record = names.record();
  for (const LocationId place : places_of(record, event)) {
    if (place == 0 || module_slot(place) >= record.modules.size()) continue;
    const std::vector<std::string>& list = facts_of(record.modules[module_slot(place)].path).uncontrolled;
    if (list.empty()) continue;
    for (const Frame& frame : names.symbolizer().frames(place)) {
      for (const std::string& one : list) {
        if (!frame.file.empty() && file_name(frame.file) == file_name(one.substr(0, one.find(':')))) return one;
      }
    }
  }
  return {};
}

std::string Doubts::about_race(Names& names, const RaceRecord& race) {
  const std::vector<std::string> first = unseen_callers(names, race.first);
  const std::vector<std::string> second = unseen_callers(names, race.second);
  for (const std::string& path : first) {
    if (std::find(second.begin(), second.end(), path) == second.end()) continue;
    return fmt::format(
        "{} calls both and synchronises by atomics that Ravel does not see: build it with ravel c++, or write "
        "called_from_lib:{} into a file for --suppressions",
        file_name(path), file_name(path));
  }
  std::string near = uncontrolled_near(names, race.first);
  if (near.empty()) near = uncontrolled_near(names, race.second);
  return near.empty() ? std::string() : fmt::format("inline assembly beside it is not controlled: {}", near);
}

std::string Doubts::about_outcome(Names& names) {
  const ExecutionRecord& record = names.record();
  if (record.outcome != OutcomeKind::kHang && record.outcome != OutcomeKind::kStepLimit) return {};
  for (const ModuleName& module : record.modules) {
    const std::vector<std::string>& list = facts_of(module.path).uncontrolled;
    if (!list.empty()) return fmt::format("the program has inline assembly that is not controlled: {}", list[0]);
  }
  return {};
}

}  // namespace ravel
