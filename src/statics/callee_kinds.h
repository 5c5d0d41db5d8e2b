// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Ravel authors
//
// What a call that leaves the program does, by the linked name of its callee: a compiler's call-out for an access, or a
// function of the library that the analyses know.
#pragma once

#include <string>
#include <vector>

#include "statics/facts.h"

namespace ravel {

// Empty: no operation that facts speak of.
std::vector<SiteKind> kinds_of_callee(const std::string& linked);

}  // namespace ravel
