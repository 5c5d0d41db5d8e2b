// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Ravel authors
//
// Racy locations are return addresses of compiler call-outs. Between builds they move, so a plan also names them: the
// function of the symbol table, the source place, and which of the call-outs at that place it is. Finding one again
// means to list the call instructions of that function in the new file and symbolise them.
#pragma once

#include <vector>

#include "model/text/plan_file.h"
#include "model/text/result.h"
#include "symbols/symbolizer.h"

namespace ravel {

std::vector<RacyPlace> name_racy(Symbolizer& symbolizer, const std::vector<LocationId>& locations);
// Locations for the program behind slot 0 of `symbolizer`; places in other modules keep their number. An error names
// the first place that the program does not have.
Result<std::vector<LocationId>> locate_racy(Symbolizer& symbolizer, const std::vector<RacyPlace>& places);

}  // namespace ravel
