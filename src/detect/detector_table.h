// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Ravel authors
//
// The detectors by name: what each finds, whether it can be wrong, how its findings are put into words, and how it is
// made. The row's number is its bit in Campaign::detectors and DetectionRecord::detector.
//
// Explanations, by DetectionRecord::variant, are texts with holes: {0} is what event 0 did and where ("write
// bank.cpp:12"), {t0} its thread ("T1"), {o0} the memory or lock it is about, {p0} its place, {n}
// DetectionRecord::number.
#pragma once

#include <cstdint>
#include <memory_resource>
#include <optional>
#include <span>
#include <string_view>

#include "detect/detector.h"
#include "model/outcome.h"

namespace ravel {

enum class DetectorId : std::uint8_t {
  kDataRace,
  kAvio,
  kLockOrder,
  kVectorClock,
  kGoldiLocks,
  kEraser,
  kOverlap,
  kPredictedRace,
  kAtomicUpdate,
  kAba,
  kDoubleChecked,
  kUseBeforeSet,
  kViews,
  kSerialisable,
  kReduction,
  kPset,
  kLostSignal,
  kUncheckedWait,
  kBlocked,
  kHeldAtExit,
  kNestedWait,
  kLivelock,
  kDeadStack,
  kPredictedSignal,
  kRaceTrack,
  kUnits,
  kAtomicSets,
  kCount
};

inline constexpr std::uint64_t detector_bit(DetectorId id) {
  return std::uint64_t{1} << static_cast<unsigned>(id);
}

struct DetectorRow {
  DetectorId id = DetectorId::kCount;
  std::string_view name = {};
  std::string_view finds = {};              // one line
  OutcomeKind kind = OutcomeKind::kNotRun;  // class of what it reports
  OutcomeKind also = OutcomeKind::kNotRun;  // a second class
  bool precise = false;                     // what it reports is a defect; else it may be intended
  bool in_default = false;
  bool exact_order = false;  // needs the exact order of plain accesses: off in free-running mode
  bool explains = false;     // also looked at in failing executions, where it may be the cause
  bool learns = false;       // training executions teach it what is usual
  bool needs_training = false;
  bool predicts = false;  // reports are about other schedules: reported only once an execution was driven there
  std::span<const std::string_view> explanations = {};
  Detector* (*create)(std::pmr::memory_resource&, const Services&) = nullptr;  // nullptr: part of the analysis itself
};

[[nodiscard]] std::span<const DetectorRow> detector_table();
[[nodiscard]] const DetectorRow* find_detector(std::string_view name);
[[nodiscard]] std::uint64_t default_detectors();
[[nodiscard]] std::uint64_t all_detectors();
[[nodiscard]] std::uint64_t explaining_detectors();
// Those that say nothing without training.
[[nodiscard]] std::uint64_t untrained_detectors();
// Those whose findings are of this kind.
[[nodiscard]] std::uint64_t detectors_of(OutcomeKind kind);
// "a,b": names of detectors, of classes of defects (all that find such), all, precise, default, none; nullopt: `wrong`
// is none of these.
[[nodiscard]] std::optional<std::uint64_t> parse_detectors(std::string_view list, std::string_view& wrong);

}  // namespace ravel
