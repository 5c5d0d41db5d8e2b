// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Ravel authors
//
// What kind of mistake a decisive order shows, in one sentence with the places that belong together. Nothing is said
// where the order shows neither kind.
#pragma once

#include <cstdint>
#include <span>
#include <string>

#include "model/event.h"
#include "report/names.h"

namespace ravel {

// Two events of different threads whose order decides the failure. Numbers as of DecisivePair.
struct DecidedOrder {
  std::uint64_t first_number = 0;
  Event first;
  std::uint64_t second_number = 0;
  Event second;
};

// Atomicity violation: two orders that go both ways between two threads, so that what one did, or the first
// half of it, came between two operations of the other. Order violation: one order, of a read and the first write of
// what it reads. Else empty.
[[nodiscard]] std::string diagnose(Names& names, std::span<const DecidedOrder> orders);

}  // namespace ravel
