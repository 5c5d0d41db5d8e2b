// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Ravel authors
//
// An execution as the text form of traces (docs/trace-format.md), with names for threads, objects and locations.
#pragma once

#include <string>

#include "report/names.h"

namespace ravel {

std::string trace_as_text(Names& names);

}  // namespace ravel
