// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Ravel authors
//
// What a specification says about the sequences of a campaign, in words.
#pragma once

#include <string>

#include "report/report.h"
#include "report/style.h"

namespace ravel {

// Empty: there was no specification.
std::string validity_text(const ValidityReport& validity, const Style& style);

}  // namespace ravel
