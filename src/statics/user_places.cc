// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Ravel authors
#include "statics/user_places.h"

#include <algorithm>
#include <string_view>

#include "model/guide.h"
#include "model/tables.h"
#include "statics/callee_kinds.h"
#include "symbols/code_symbols.h"
#include "symbols/symbolizer.h"

namespace ravel {
std::uint32_t goal_operation(SiteKind kind) {
  switch (kind) {
    case SiteKind::kRead:
    case SiteKind::kAtomicRead:
      return kGoalReads;
    case SiteKind::kWrite:
    case SiteKind::kAtomicWrite:
      return kGoalWrites;
    case SiteKind::kLock:
    case SiteKind::kReadLock:
      return kGoalLocks;
    case SiteKind::kWait:
      return kGoalWaits;
    case SiteKind::kNotify:
      return kGoalNotifies;
  }
  return 0;
}

namespace {

bool has(std::string_view text, std::string_view part) {
  return text.find(part) != std::string_view::npos;
}

// What a call that leaves the file can be; 0: nothing that is ever observed.
std::uint32_t operations_of(const std::string& callee) {
  std::uint32_t bits = 0;
  for (const SiteKind kind : kinds_of_callee(callee)) bits |= goal_operation(kind);
  if (bits != 0) return bits;
  if (has(callee, "unlock")) return kGoalUnlocks;
  constexpr std::string_view kOthers[] = {"pthread_",    "sem_",       "thrd_",      "_M_start_thread",
                                          "4joinEv",     "ravel_mark", "future",     "sleep",
                                          "sched_yield", "call_once",  "__cxa_guard"};
  const bool other = std::any_of(std::begin(kOthers), std::end(kOthers), [&](auto part) { return has(callee, part); });
  return other ? kGoalOthers | kGoalWaits | kGoalNotifies | kGoalLocks : 0;
}

bool is_library_name(std::string_view linked) {
  return linked.substr(0, 5) == "_ZNSt" || linked.substr(0, 6) == "_ZNKSt" || linked.substr(0, 4) == "_ZSt" ||
         has(linked, "__gnu_cxx") || has(linked, "__gthread");
}
bool is_destructor(std::string_view linked) {
  return has(linked, "D1Ev") || has(linked, "D2Ev") || has(linked, "D0Ev");
}

class Finder {
 public:
  explicit Finder(const std::string& program) : symbols_(program) { symbolizer_.set_module(0, program, 0); }

  std::vector<UserPlace> run() {
    std::uint64_t done = 0;
    for (const CodeSymbol& symbol : symbols_.all()) {
      if (symbol.end > kModuleOffsetMask || symbol.start < done) continue;
      done = symbol.end;  // a function may have several names
      for (const CallOut& call : symbols_.call_outs(symbol)) add(symbol, call, true);
      for (const CallOut& call : symbols_.inner_calls(symbol)) add(symbol, call, false);
    }
    std::sort(places_.begin(), places_.end(),
              [](const UserPlace& a, const UserPlace& b) { return a.location < b.location; });
    const auto same = [](const UserPlace& a, const UserPlace& b) { return a.location == b.location; };
    places_.erase(std::unique(places_.begin(), places_.end(), same), places_.end());
    return std::move(places_);
  }

 private:
  void add(const CodeSymbol& symbol, const CallOut& call, bool leaves_file) {
    if (leaves_file && has(call.callee, "__tsan_func_")) return;
    const auto location = static_cast<LocationId>(call.after);
    const std::vector<Frame>& frames = symbolizer_.frames(location);
    const auto user = std::find_if(frames.begin(), frames.end(),
                                   [](const Frame& frame) { return frame.line != 0 && !frame.in_system_header; });
    if (user == frames.end()) return;
    UserPlace place;
    place.location = location;
    place.place = {user->file, user->line, user->column};
    for (auto frame = user + 1; frame != frames.end(); ++frame) {
      if (frame->line != 0 && !frame->in_system_header)
        place.around.push_back({frame->file, frame->line, frame->column});
    }
    place.function = user->function;
    place.start_line = user->start_line;
    place.symbol = symbol.start;
    place.callee = call.callee;
    place.leaves_file = leaves_file;
    if (leaves_file) place.operations = operations_of(call.callee);
    if (!leaves_file && is_library_name(call.callee)) place.operations = kGoalAny;
    place.in_destructor = is_destructor(call.callee);
    for (auto inlined = frames.begin(); inlined != user; ++inlined) {
      if (has(inlined->function, "::~")) place.in_destructor = true;
    }
    places_.push_back(std::move(place));
  }

  CodeSymbols symbols_;
  Symbolizer symbolizer_;
  std::vector<UserPlace> places_;
};

}  // namespace

std::vector<UserPlace> find_user_places(const std::string& program) {
  return Finder(program).run();
}

}  // namespace ravel
