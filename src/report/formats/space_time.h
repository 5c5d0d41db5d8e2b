// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Ravel authors
//
// A sequence as a space-time diagram in SVG: a lane for each thread and each object, time goes down; an event joins its
// thread and its object, and a line leads from the object's last event to the next one of another thread.
#pragma once

#include <string>
#include <vector>

#include "model/text/syn_text.h"

namespace ravel {

// `notes`: what stands beside each event; may be empty.
std::string space_time_svg(const std::vector<SynEvent>& events, const std::vector<std::string>& notes);

}  // namespace ravel
