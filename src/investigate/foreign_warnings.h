// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Ravel authors
//
// Warnings that other tools wrote into a file (statics/warnings/), and the sequences of places that would show them.
// Their paths are those of other machines: files are found by the end of their path.
#pragma once

#include <string>
#include <vector>

#include "investigate/confirm_warnings.h"
#include "model/text/result.h"
#include "statics/facts.h"
#include "statics/warnings/foreign_warning.h"

namespace ravel {

// A file without any warning is an error that says what it was taken for.
Result<ForeignWarnings> read_foreign_warnings(const std::string& file);

// One for each of `foreign`, in their order. The facts' operations at its places give its sequences; where facts know
// none, the places alone.
std::vector<WarningToConfirm> to_confirm(const ForeignWarnings& foreign, const Facts& facts);

}  // namespace ravel
