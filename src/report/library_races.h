// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Ravel authors
//
// Data races that are the C++ library's own and that no program can do anything about. They are recognised by the
// functions both accesses lie in, up to the first frame of the user's code, and left out of the findings; a note says
// so.
#pragma once

#include <string>
#include <vector>

#include "report/names.h"

namespace ravel {

// Takes the library's own races out of `record`, which `names` are of; yields a note for each kind that was left out.
std::vector<std::string> leave_out_library_races(ExecutionRecord& record, Names& names);

}  // namespace ravel
