// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Ravel authors
//
// Where an execution failed, in the program's own code: a fault inside a library of the system is reported at the line
// that called it.
#pragma once

#include "report/names.h"

namespace ravel {

struct FailurePlace {
  LocationId location = 0;
  ContextId context = 0;
};
FailurePlace failure_place(Names& names);

}  // namespace ravel
