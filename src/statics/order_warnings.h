// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Ravel authors
//
// Orders that nothing enforces:
//
//   use before set     a thread uses what its creator writes only after it has created the thread
//   lost notification  a wait that depends on nothing the notifier writes, or that the notifier writes without the
//   mutex:
//                      the notification may come first
//   checked once       a wait whose condition is not checked again when it ends
//   no notification    a wait on a condition that nobody notifies
#pragma once

#include <vector>

#include "statics/facts.h"

namespace ravel {

std::vector<StaticWarning> order_warnings(const Facts& facts);

}  // namespace ravel
