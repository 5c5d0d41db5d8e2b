// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Ravel authors
//
// Vector timestamps of the events of a sequence. By thread: one number a thread, its events so far (Fidge, Mattern). By
// object: one number an object, its version (Carver, Tai). An event happens before another if each number of its stamp
// is at most as large, and the stamps differ.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "driver/execution_record.h"

namespace ravel {

enum class StampScheme : std::uint8_t { kThread, kObject };
inline constexpr std::string_view kStampNames[] = {"thread", "object"};

using Stamp = std::vector<std::uint32_t>;

// One for each event of a sequence, in order. Objects are numbered as they first come.
std::vector<Stamp> stamps_of(const ExecutionRecord& record, StampScheme scheme);

// "1 0 2"
std::string stamp_text(const Stamp& stamp);

}  // namespace ravel
