// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Ravel authors
//
// Text forms of the small parts of a PlanSpec, used by the command line, plan files and reports:
// a policy is "pct,depth=3,length=100,seed=7" or "preempt,seed=0,switch=12:1", lists are names.
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>

#include "model/operation.h"
#include "model/plan.h"

namespace ravel {

std::string policy_text(const PolicySpec& policy);
std::optional<PolicySpec> parse_policy(std::string_view text);

// Classes of scheduling points as bits of PlanSpec::excluded_classes.
struct ClassRow {
  std::string_view name;
  OpClass cls;
  std::string_view description;
};
std::span<const ClassRow> class_table();
std::optional<std::uint32_t> class_bit(std::string_view name);
std::string class_names(std::uint32_t bits, std::string_view separator);

// Bits of PlanSpec::faults.
struct FaultRow {
  std::string_view name;
  std::uint32_t bit;
  std::string_view description;
};
std::span<const FaultRow> fault_table();
std::optional<std::uint32_t> fault_bit(std::string_view name);
std::string fault_names(std::uint32_t bits, std::string_view separator);

}  // namespace ravel
