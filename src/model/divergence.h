// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Ravel authors
//
// Prefix divergence: an event that a forced part of a sequence names did not come, although everything before it did.
// The program is then decided by something that is no part of its sequences: memory without synchronisation, as a rule.
#pragma once

#include <cstdint>

#include "model/ids.h"
#include "model/operation.h"
#include "model/sequence.h"

namespace ravel {

struct Divergence {
  LastingName thread = 0;       // whose event it is; 0: there was none
  LastingName object = 0;       // 0: a choice
  std::uint32_t number = 0;     // n-th event, or choice, of its thread, from 1
  OpKind kind = OpKind::kNone;  // what it was in the execution that the prefix was taken from
  std::uint8_t pad[3] = {};
  LocationId location = 0;  // ... and where
  // Accesses to memory that no synchronisation orders, in an execution of the search; 0: none was recorded.
  LocationId accesses[2] = {0, 0};
  std::uint32_t pad_end = 0;

  [[nodiscard]] bool found() const { return thread != 0; }
};

}  // namespace ravel
