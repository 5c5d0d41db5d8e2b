// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Ravel authors
//
// Finds the events whose order decides a failure: a campaign of the strategy `explain`, put into words.
#pragma once

#include "investigate/minimise_plan.h"
#include "report/finding.h"

namespace ravel {

// Fills what `finding` says of the order of events. `names` are those of the execution that `failing` gives. Of a data
// race the two accesses are reported already.
Result<void> explain(const ReplayOptions& failing, const MinimiseOptions& options, Names& names, Finding& finding);

}  // namespace ravel
