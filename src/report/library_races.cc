// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Ravel authors
#include "report/library_races.h"

#include <algorithm>
#include <array>
#include <string_view>
#include <vector>

namespace ravel {
namespace {

struct LibraryRace {
  std::string_view owner;  // how the function's name begins
  std::string_view file;   // where it is written: of an inlined function only the last part of the name may be known
  std::array<std::string_view, 3> first;
  std::array<std::string_view, 2> second;
  bool read_then_write;
  std::string_view reason;
};

// Each entry is as narrow as it can be: only the members at fault and, where that is all there is, only a read before a
// write.
constexpr LibraryRace kLibraryRaces[] = {
    {"std::_Sp_atomic<",
     "/bits/shared_ptr_atomic.h",
     {">::load(", ">::compare_exchange_strong(", ">::wait("},
     {">::swap(", ">::compare_exchange_strong("},
     true,
     "std::atomic<std::shared_ptr> of libstdc++ 12 gives up its internal lock with a relaxed store after reading"},
    {"std::ctype<char>::",
     "/bits/locale_facets.h",
     {"::narrow(", "::widen(", "::_M_widen_init("},
     {"::narrow(", "::_M_widen_init("},
     false,
     "std::ctype<char> of libstdc++ fills its table of characters without a lock, each thread with the same values"},
};

template <std::size_t N>
bool is_member(const Frame& frame, const LibraryRace& known, const std::array<std::string_view, N>& members) {
  const std::string_view function = frame.function;
  const bool qualified = function.starts_with(known.owner);
  if (!qualified &&
      (!std::string_view(frame.file).ends_with(known.file) || function.find(':') != std::string_view::npos))
    return false;
  return std::any_of(members.begin(), members.end(), [&](std::string_view member) {
    if (qualified) return function.find(member) != std::string_view::npos;
    return !member.empty() && function == member.substr(member.rfind(':') + 1, member.size() - member.rfind(':') - 2);
  });
}

// Why the race is the library's and harmless; empty if it is the program's.
std::string_view reason_of(Names& names, const RaceRecord& race) {
  const bool read_then_write = race.first.kind == OpKind::kRead && race.second.kind == OpKind::kWrite;
  // The functions of the library between the user's code and the access, innermost first.
  const std::vector<Frame> first = names.frames_up_to_user(race.first.location, race.first.context);
  const std::vector<Frame> second = names.frames_up_to_user(race.second.location, race.second.context);
  for (const LibraryRace& known : kLibraryRaces) {
    if (known.read_then_write && !read_then_write) continue;
    const auto in = [&](const std::vector<Frame>& frames, const auto& members) {
      return std::any_of(frames.begin(), frames.end(),
                         [&](const Frame& frame) { return is_member(frame, known, members); });
    };
    const bool either_way = !known.read_then_write && in(second, known.first) && in(first, known.second);
    if (either_way || (in(first, known.first) && in(second, known.second))) return known.reason;
  }
  return {};
}

}  // namespace

std::vector<std::string> leave_out_library_races(ExecutionRecord& record, Names& names) {
  std::vector<std::string> notes;
  const auto is_library = [&](const RaceRecord& race) {
    const std::string_view reason = reason_of(names, race);
    if (reason.empty()) return false;
    std::string note = "a data race is left out: " + std::string(reason);
    if (std::find(notes.begin(), notes.end(), note) == notes.end()) notes.push_back(std::move(note));
    return true;
  };
  record.races.erase(std::remove_if(record.races.begin(), record.races.end(), is_library), record.races.end());
  const auto is_library_pair = [&](const DetectionRecord& found) {
    if (found.kind != OutcomeKind::kDataRace || found.roles != 2) return false;
    RaceRecord race;
    race.first = found.role[0].event;
    race.second = found.role[1].event;
    return is_library(race);
  };
  record.detections.erase(std::remove_if(record.detections.begin(), record.detections.end(), is_library_pair),
                          record.detections.end());
  return notes;
}

}  // namespace ravel
