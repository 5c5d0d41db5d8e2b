// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Ravel authors
//
// How the commands that try something again end, each with the word that reports and JSON use.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string_view>

namespace ravel {

// `ravel replay'.
enum class ReplayEnd : std::uint8_t { kClean, kReproduced, kDiverged, kStopped, kInterrupted, kDidNotRun, kCount };
// A plan of an earlier campaign that was tried before this one.
enum class SavedPlanState : std::uint8_t { kFails, kClean, kDoesNotFit, kCount };
// `ravel verify-fix': the defect of the plan in the changed program.
enum class FixState : std::uint8_t { kReachable, kAnotherDefect, kNotReachable, kInconclusive, kCouldNotTest, kCount };
// ... and what showed it.
enum class FoundBy : std::uint8_t { kNothing, kPlan, kNear, kBounded, kCount };

inline constexpr std::string_view kReplayEndNames[] = {"clean",   "reproduced",  "diverged",
                                                       "stopped", "interrupted", "failed"};
inline constexpr std::string_view kSavedPlanNames[] = {"fails", "clean", "does-not-fit"};
inline constexpr std::string_view kFixNames[] = {"reachable", "another-defect", "not-reachable", "inconclusive",
                                                 "could-not-test"};
inline constexpr std::string_view kFoundByNames[] = {"", "plan", "near", "bounded"};

static_assert(std::size(kReplayEndNames) == static_cast<std::size_t>(ReplayEnd::kCount));
static_assert(std::size(kSavedPlanNames) == static_cast<std::size_t>(SavedPlanState::kCount));
static_assert(std::size(kFixNames) == static_cast<std::size_t>(FixState::kCount));
static_assert(std::size(kFoundByNames) == static_cast<std::size_t>(FoundBy::kCount));

constexpr std::string_view name_of(ReplayEnd end) {
  return kReplayEndNames[static_cast<std::size_t>(end)];
}
constexpr std::string_view name_of(SavedPlanState state) {
  return kSavedPlanNames[static_cast<std::size_t>(state)];
}
constexpr std::string_view name_of(FixState state) {
  return kFixNames[static_cast<std::size_t>(state)];
}
constexpr std::string_view name_of(FoundBy by) {
  return kFoundByNames[static_cast<std::size_t>(by)];
}

}  // namespace ravel
