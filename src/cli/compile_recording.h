// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Ravel authors
//
// Puts the command that made an object into the object, for `ravel analyze`.
#pragma once

#include <string>

#include "cli/compiler_steps.h"

namespace ravel {

// Adds the section to the object by objcopy. A build never fails because of it: without the section there is only
// nothing to analyse.
void record_compile_command(const CompiledObject& object, const WrapperSetup& setup,
                            const std::string& temporary_folder);

}  // namespace ravel
