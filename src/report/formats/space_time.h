// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Ravel authors
//
// A sequence as a space-time diagram in SVG: a lane for each thread and each object, time goes down; an arrow leads
// from the thread of an event to its object, and a line from there to the object's next event of another thread. Below
// stand calls that were never completed.
#pragma once

#include <string>
#include <vector>

#include "model/text/syn_text.h"

namespace ravel {

// `notes`: what stands below each event; may be empty.
std::string space_time_svg(const std::vector<SynEvent>& events, const std::vector<SynEvent>& waiting,
                           const std::vector<std::string>& notes);

}  // namespace ravel
