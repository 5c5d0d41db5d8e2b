// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Ravel authors
#include "report/doubts.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cctype>
#include <string_view>

namespace ravel {
namespace {

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

// A place and all its callers.
std::vector<LocationId> places_of(const ExecutionRecord& record, LocationId location, ContextId context) {
  std::vector<LocationId> places = {location};
  for (int depth = 0; context != 0 && context < record.contexts.size() && depth < kMaxContextDepth; ++depth) {
    places.push_back(record.contexts[context].call);
    context = record.contexts[context].parent;
  }
  return places;
}

// By the name of what a library offers.
bool sounds_like_synchronisation(const std::string& linked) {
  constexpr std::array<std::string_view, 12> kWords = {"lock",   "mutex",   "acquire",   "release", "wait",  "notify",
                                                       "signal", "barrier", "semaphore", "quiesc",  "latch", "rcu"};
  std::string name = linked;
  std::transform(name.begin(), name.end(), name.begin(), [](unsigned char c) { return std::tolower(c); });
  return std::any_of(kWords.begin(), kWords.end(),
                     [&](std::string_view word) { return name.find(word) != std::string::npos; });
}

}  // namespace

const ObjectFacts& Doubts::facts_of(const std::string& path) {
  const auto known = facts_.find(path);
  return known != facts_.end() ? known->second : facts_.emplace(path, object_facts(path)).first->second;
}

bool Doubts::is_unseen(const std::string& path) {
  if (path.empty() || is_runtime_library(path)) return false;
  const ObjectFacts& facts = facts_of(path);
  return facts.has_atomics && !facts.instrumented;
}

const std::vector<std::string>& Doubts::callees(const std::string& path, std::uint64_t address) {
  std::unique_ptr<CodeSymbols>& code = code_[path];
  if (code == nullptr) code = std::make_unique<CodeSymbols>(path);
  const CodeSymbol* const function = code->at(address);
  const auto [entry, fresh] = callees_.try_emplace({path, function != nullptr ? function->start : 0});
  if (fresh && function != nullptr) {
    for (CallOut& call : code->call_outs(*function)) entry->second.push_back(std::move(call.callee));
  }
  return entry->second;
}

void Doubts::add_called(Names& names, LocationId place, Unseen& out) {
  const ExecutionRecord& record = names.record();
  const std::string& path = record.modules[module_slot(place)].path;
  if (!facts_of(path).instrumented) return;
  // A return address is behind its call, perhaps behind the function.
  const std::vector<std::string>& called = callees(path, names.symbolizer().link_address(place) - 1);
  for (const ModuleName& module : record.modules) {
    if (!is_unseen(module.path)) continue;
    const std::vector<std::string>& offered = facts_of(module.path).exports;
    for (const std::string& callee : called) {
      if (callee.empty() || !std::binary_search(offered.begin(), offered.end(), callee)) continue;
      out.called.insert(module.path);
      if (sounds_like_synchronisation(callee)) out.lock_for.insert(module.path);
    }
  }
}

Doubts::Unseen Doubts::unseen_around(Names& names, const Event& event) {
  const ExecutionRecord& record = names.record();
  Unseen found;
  for (const LocationId place : places_of(record, event.location, event.context)) {
    const std::uint32_t slot = module_slot(place);
    if (place == 0 || slot >= record.modules.size()) continue;
    if (slot != 0 && is_unseen(record.modules[slot].path)) found.callers.insert(record.modules[slot].path);
    add_called(names, place, found);
  }
  return found;
}

std::string Doubts::uncontrolled_near(Names& names, const Event& event) {
  const ExecutionRecord& record = names.record();
  for (const LocationId place : places_of(record, event.location, event.context)) {
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

bool Doubts::allocated_by(Names& names, const Event& event, const std::string& path) {
  const ExecutionRecord& record = names.record();
  if (event.object == 0 || event.object >= record.objects.size()) return false;
  const ObjectRecord& object = record.objects[event.object];
  for (const LocationId place : places_of(record, object.site, object.site_context)) {
    if (place != 0 && module_slot(place) < record.modules.size() && record.modules[module_slot(place)].path == path)
      return true;
  }
  return false;
}

bool is_undecided_hang(const ExecutionRecord& record) {
  return record.outcome == OutcomeKind::kHang && record.blocked_outside;
}

std::string Doubts::about_race(Names& names, const RaceRecord& race) {
  const Unseen first = unseen_around(names, race.first);
  const Unseen second = unseen_around(names, race.second);
  std::set<std::string> paths = first.callers;
  paths.insert(first.called.begin(), first.called.end());
  for (const std::string& path : paths) {
    const bool first_below = first.callers.count(path) != 0;
    const bool second_below = second.callers.count(path) != 0;
    const bool both =
        (first_below || first.lock_for.count(path) != 0) && (second_below || second.lock_for.count(path) != 0);
    const bool by_library = first_below || second_below || allocated_by(names, race.first, path);
    if (!both && !(by_library && (second_below || second.called.count(path) != 0))) continue;
    const std::string_view name = file_name(path);
    if (first_below && second_below) {
      return fmt::format(
          "{} calls both and synchronises by atomics that Ravel does not see: build it with ravel c++, or write "
          "called_from_lib:{} into a file for --suppressions",
          name, name);
    }
    return fmt::format(
        "both sides use {}, which synchronises by atomics that Ravel does not see: build it with ravel c++", name);
  }
  std::string near = uncontrolled_near(names, race.first);
  if (near.empty()) near = uncontrolled_near(names, race.second);
  return near.empty() ? std::string() : fmt::format("inline assembly beside it is not controlled: {}", near);
}

std::string Doubts::about_outcome(Names& names) {
  const ExecutionRecord& record = names.record();
  if (record.outcome != OutcomeKind::kHang && record.outcome != OutcomeKind::kStepLimit) return {};
  if (is_undecided_hang(record)) return "another thread may have been able to run, and may be what it waits for";
  for (const ModuleName& module : record.modules) {
    const std::vector<std::string>& list = facts_of(module.path).uncontrolled;
    if (!list.empty()) return fmt::format("the program has inline assembly that is not controlled: {}", list[0]);
  }
  return {};
}

}  // namespace ravel
