// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Ravel authors
//
// Value-schedule files (.values): orders of conflicting accesses as people read and write them (docs/values-format.md).
// A file may name all orders of an execution, or the few that matter.
//
// parse_values(write_values(f)) is f again, for every file that parse_values yields. Text comes from users: everything
// is bounded, and errors name file, line and column, what was expected and what was found. Orders that contradict each
// other are an error that shows the cycle.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "model/operation.h"
#include "model/text/result.h"
#include "model/text/syn_text.h"

namespace ravel {

inline constexpr unsigned kValuesFormatVersion = 1;
inline constexpr std::size_t kMaxValuesBytes = std::size_t{4} << 20;
inline constexpr std::size_t kMaxValueOrders = 1u << 14;

// "bank.cpp:14"
struct SourceLine {
  std::string file;
  std::uint32_t line = 0;  // 0: not given
  friend bool operator==(const SourceLine&, const SourceLine&) = default;
};

struct ValueAccess {
  std::string thread;  // lineage, or the name that the file gave it
  OpKind kind = OpKind::kNone;
  std::string object;  // empty: not given
  SourceLine place;
  SourceLine from;             // the call around it
  std::uint32_t instance = 1;  // the n-th such access of its thread
  friend bool operator==(const ValueAccess&, const ValueAccess&) = default;
};

enum class ValueRelation : std::uint8_t {
  kBefore,   // ->     happens before
  kDefines,  // ->def  ... and the second reads what the first wrote
  kHandsOn,  // ->acq  ... and nobody else has the lock in between
  kWakes,    // ->wakes  the first is a signal, and wakes the second's thread, not another one that waits
};
inline constexpr std::string_view kRelationNames[] = {"->", "->def", "->acq", "->wakes"};

struct ValueOrder {
  ValueAccess first;
  ValueAccess second;
  ValueRelation relation = ValueRelation::kBefore;
  std::uint32_t line = 0;  // of the file; 0: made by the tool
};

struct ValuesFile {
  std::string program;  // empty: the command line says
  std::vector<std::string> arguments;
  std::string stdin_path;
  std::vector<std::pair<std::string, std::string>> threads;  // name, lineage
  std::vector<ValueOrder> orders;
  SynExpectation expect;
};

Result<ValuesFile> parse_values(std::string_view text, const std::string& name);
std::string write_values(const ValuesFile& file);
std::string access_text(const ValueAccess& access);
std::string order_text(const ValueOrder& order);

// Can the operation stand in an order at all; does it take a lock?
bool is_value_operation(OpKind kind);
bool takes_lock(OpKind kind);
// The lineage that a name stands for.
std::string lineage_meant(const ValuesFile& file, const std::string& thread);
// "src/bank.cpp:14" is "bank.cpp:14", but not "x_bank.cpp:14".
bool is_same_line(const SourceLine& written, const SourceLine& known);

}  // namespace ravel
