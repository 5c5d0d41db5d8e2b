// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Ravel authors
//
// OS threads of the process that are neither the one that runs the program nor carriers: made inside a library by means
// that we do not see. They cannot be controlled, only named.
#pragma once

namespace ravel::rt {

void begin_counting_threads();
// Notes it for the output when there are such threads now.
void note_foreign_threads();

}  // namespace ravel::rt
