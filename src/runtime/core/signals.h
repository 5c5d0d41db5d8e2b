// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Ravel authors
//
// Fatal signals of the program: noted in the result before the process dies of them. A handler the program installs replaces ours.
#pragma once

namespace ravel::rt {

void watch_fatal_signals();

}  // namespace ravel::rt
