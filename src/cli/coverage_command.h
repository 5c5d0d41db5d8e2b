// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Ravel authors
//
// `ravel coverage`.
#pragma once

#include "cli/command.h"
#include "cli/options.h"

namespace ravel {

int coverage_command(const Arguments& args);
CommandPage coverage_page();

}  // namespace ravel
