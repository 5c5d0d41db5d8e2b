// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Ravel authors
//
// --scratch: the working folder of each execution, empty at its start. It lies inside a private folder that the driver
// has made, and removes when the session ends.
#pragma once

namespace ravel {

// Empties, or makes, the folder `run` inside `base`. Does not follow links. Says whether it is empty now.
bool prepare_scratch(const char* base);
// Makes it the working folder of this process.
bool enter_scratch(const char* base);

}  // namespace ravel
