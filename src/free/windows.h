// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Ravel authors
//
// AtomRace in free-running mode: an access that noise delays stays open for as long, and whoever comes to a conflicting
// access of the same memory meanwhile has found a race: both threads stand right before their accesses, so nothing
// orders them. Source: Letko, Vojnar, Krena, "AtomRace: data race and atomicity violation detector and healer", 2008.
#pragma once

#include "free/access.h"

namespace ravel::fr {

void look_into_windows(const FreeThread& self, const PlainAccess& access);

// Open from here to the end of the scope.
class OpenAccess {
 public:
  OpenAccess(FreeThread& self, const PlainAccess* access);
  ~OpenAccess();
  OpenAccess(const OpenAccess&) = delete;
  OpenAccess& operator=(const OpenAccess&) = delete;

 private:
  FreeThread* self_;
};

}  // namespace ravel::fr
