// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Ravel authors
//
// The tool's own descriptors 0, 1 and 2, and its stack: what a parent may have taken away. A closed descriptor is
// opened again, so that no file of ours gets its number; output that cannot be written is reported once, at the end,
// and does not hide how the command ended.
#pragma once

#include "model/text/result.h"

namespace ravel {

// Before anything else. Error: the tool cannot run like this.
Result<void> prepare_standard_streams();
// After everything else; `code` is that of the command.
int finish_standard_streams(int code);

}  // namespace ravel
