// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Ravel authors
//
// A campaign without the tool: the process makes its own block, serves its own workers, confirms what they find by a
// replay, and says what there is to say in an answer. The block is gone afterwards; the process was never under
// control.
#pragma once

#include "ravel/interface.h"
#include "runtime/entry/body.h"

namespace ravel {

void explore_alone(const ravel_explore_request& request, rt::Body& body, ravel_explore_answer& answer);

}  // namespace ravel
