// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Ravel authors
//
// The interleaving on a terminal: time goes down, each thread has a column. Where the terminal is too narrow for the
// threads there are, the columns are given up and each line begins with its thread.
#pragma once

#include <cstddef>
#include <string>
#include <vector>

#include "report/finding.h"
#include "report/style.h"

namespace ravel {

inline constexpr std::size_t kDefaultWidth = 110;  // where there is no terminal

// "local 'account.balance' of T0 (bank.cpp:12)" is account.balance, where the rest is said elsewhere in the report.
std::string short_object_name(const std::string& object);

// No line is longer than `width` characters (but for one of less than 40).
std::string interleaving_columns(const std::vector<InterleavingLine>& lines, const Style& style, std::size_t width);

}  // namespace ravel
