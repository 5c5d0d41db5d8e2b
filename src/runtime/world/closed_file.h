// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Ravel authors
//
// Closing a descriptor lets go of locks: of those of its open file if it was the last descriptor of it, and of all that
// the process has on the ranges of this file.
#pragma once

#include "model/event.h"

namespace ravel::rt {

// Begun before the call, ended behind it.
class ClosedFile {
 public:
  ClosedFile(int descriptor, LocationId location);
  void end(bool closed) const;

 private:
  int descriptor_;
  LocationId location_;
  unsigned whole_;    // the file whose lock it has; kFileLocks: none
  unsigned records_;  // the same of its ranges
};

}  // namespace ravel::rt
