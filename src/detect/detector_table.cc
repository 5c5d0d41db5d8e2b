// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Ravel authors
#include "detect/detector_table.h"

#include <cstddef>

#include "detect/avio.h"
#include "detect/lock_order.h"

namespace ravel {
namespace {

constexpr DetectorRow kRows[] = {
    {.id = DetectorId::kDataRace,
     .name = "data-race",
     .finds = "two accesses to the same memory, one of them a write, that nothing orders (FastTrack)",
     .kind = OutcomeKind::kDataRace,
     .precise = true,
     .in_default = true,
     .exact_order = true},
    {.id = DetectorId::kAvio,
     .name = "avio",
     .finds = "two accesses of one thread with another thread's access in between, as no serial order allows",
     .kind = OutcomeKind::kAtomicityViolation,
     .exact_order = true,
     .explains = true,
     .explanations = Avio::kExplanations,
     .create = create_detector<Avio>},
    {.id = DetectorId::kLockOrder,
     .name = "lock-order",
     .finds =
         "locks taken in a circle by several threads (Goodlock); told when a schedule was driven into the deadlock",
     .kind = OutcomeKind::kPotentialDeadlock,
     .precise = true,
     .in_default = true,
     .predicts = true,
     .explanations = LockOrder::kExplanations,
     .create = create_detector<LockOrder>},
};
static_assert(sizeof(kRows) / sizeof(kRows[0]) == static_cast<std::size_t>(DetectorId::kCount));
static_assert(static_cast<std::size_t>(DetectorId::kCount) <= 64);

template <class Wanted>
std::uint64_t bits_where(Wanted wanted) {
  std::uint64_t bits = 0;
  for (const DetectorRow& row : kRows) {
    if (wanted(row)) bits |= detector_bit(row.id);
  }
  return bits;
}

}  // namespace

std::span<const DetectorRow> detector_table() {
  return kRows;
}

const DetectorRow* find_detector(std::string_view name) {
  for (const DetectorRow& row : kRows) {
    if (row.name == name) return &row;
  }
  return nullptr;
}

std::uint64_t default_detectors() {
  return bits_where([](const DetectorRow& row) { return row.in_default; });
}

std::uint64_t all_detectors() {
  return bits_where([](const DetectorRow&) { return true; });
}

std::uint64_t explaining_detectors() {
  return bits_where([](const DetectorRow& row) { return row.explains; });
}

std::uint64_t detectors_of(OutcomeKind kind) {
  return bits_where([&](const DetectorRow& row) { return row.kind == kind; });
}

std::optional<std::uint64_t> parse_detectors(std::string_view list, std::string_view& wrong) {
  std::uint64_t bits = 0;
  for (;;) {
    const std::size_t comma = list.find(',');
    const std::string_view name = list.substr(0, comma);
    if (name == "all") {
      bits |= all_detectors();
    } else if (name == "default") {
      bits |= default_detectors();
    } else if (const DetectorRow* row = find_detector(name)) {
      bits |= detector_bit(row->id);
    } else if (name != "none") {
      wrong = name;
      return std::nullopt;
    }
    if (comma == std::string_view::npos) return bits;
    list.remove_prefix(comma + 1);
  }
}

}  // namespace ravel
