// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Ravel authors
//
// The log of plain accesses of a run that is traced: a ring per thread, beside that of synchronisation. An access is
// placed between two of its thread's operations by their number, and among other threads' by its time.
#pragma once

#include "free/access.h"

namespace ravel::fr {

void log_access(FreeThread& self, const PlainAccess& access);

}  // namespace ravel::fr
