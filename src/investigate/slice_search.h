// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Ravel authors
//
// Slice-n-dice (Noonan, BYU 2014): whether a place can be reached, by the part of the program that it depends on. A
// first run shows the threads there are; then rounds, each an exploration of strategy `slice': the threads that hold
// the targets, at the lines the targets depend on; if no target is reached the lines that decide about what was not
// reached come in, and one more thread that runs such a line (docs/adr/0035).
//
//   error     a target was reached, or an execution failed; real, with a plan
//   no error  nothing was left to add: the targets are not reached by what is in the slice. No proof
//   budget    the time, or the executions, ended first, or a round could not be explored completely
#pragma once

#include "driver/campaign_options.h"
#include "driver/campaign_result.h"
#include "driver/program_image.h"
#include "driver/supervise.h"
#include "investigate/campaign_request.h"
#include "model/text/result.h"
#include "report/report.h"

namespace ravel {

// `campaign` is what each round is like; its facts are those of the last round afterwards. The result is that of all
// rounds together.
Result<CampaignResult> search_slices(const CampaignRequest& options, const ProgramImage& image,
                                     CampaignOptions& campaign, SliceReport& report, const ProgressListener& listener);

}  // namespace ravel
