// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Ravel authors
//
// ravel::explore(). Three situations:
//   the tool has prepared this process    the call it wants becomes the zygote; earlier calls return at once, since
//   what
//                                         a body does is never seen by its caller
//   inside an execution                   the body is part of it
//   no tool                               a block of our own, a campaign here (own_campaign.h)
#include <stdio.h>
#include <string.h>

#include "isolate/campaign_server.h"
#include "isolate/own_campaign.h"
#include "ravel/interface.h"
#include "runtime/entry/body.h"
#include "runtime/intercept/export.h"
#include "runtime/platform/raw.h"
#include "runtime/state/state.h"

namespace ravel {

namespace {

void passed(ravel_explore_answer& answer, std::uint64_t executions) {
  answer.executions = executions;
  answer.explored = executions != 0 ? 1 : 0;
}

// In the process that the tool has started. Returns for calls before the one it wants.
void reach_call(const ravel_explore_request& request, rt::Body& body, ravel_explore_answer& answer) {
  SharedBlock& block = *rt::g.block;
  if (rt::g.live != 1 || rt::g.current != rt::g.main) {
    rt::TextBuffer(answer.error, sizeof answer.error)
        .text("explore() needs to be called by main, with no other thread");
    return;
  }
  if (++block.control.explore_calls != block.campaign.base.explore_call) return passed(answer, 0);
  strncpy(block.control.explore_name, request.name, sizeof block.control.explore_name - 1);
  fflush_unlocked(stdout);
  rt::end_preparation();
  if (block.campaign.mode == RunMode::kDirect) rt::run_body_in_place(&body);
  const bool over = serve_campaign(block, {rt::run_body_in_place, &body}, {});
  for (;;) rt::raw_syscall(SYS_exit_group, over ? 0 : 4);
}

}  // namespace

}  // namespace ravel

RAVEL_EXPORT void ravel_explore(const ravel_explore_request* request, ravel_explore_answer* answer) {
  using namespace ravel;
  rt::Body body = {request->body, request->argument, RAVEL_CALLER};
  if (request->bytes < sizeof *request || answer->bytes < sizeof *answer) {
    rt::TextBuffer(answer->error, sizeof answer->error).text("ravel.h is older than the runtime");
  } else if (rt::g.preparing) {
    reach_call(*request, body, *answer);
  } else if (rt::g.in_control) {
    request->body(request->argument);
    passed(*answer, 1);
  } else {
    explore_alone(*request, body, *answer);
  }
}
