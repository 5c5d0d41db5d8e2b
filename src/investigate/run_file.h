// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Ravel authors
//
// A failing free run in a file (.run): the program, the failure and the recorded order of synchronisation; what
// `ravel pin' needs, on this machine or on another one.
#pragma once

#include <string>
#include <vector>

#include "investigate/pin.h"

namespace ravel {

struct RunFile {
  std::string program;
  std::vector<std::string> arguments;
  std::string stdin_path;
  std::string build_id;
  int expect_exit = 0;
  PinTarget target;
};

// PROGRAM-N.run in the folder, with the first number that is free. Yields the path.
Result<std::string> save_run(const RunFile& run, const std::string& folder);
Result<RunFile> read_run(const std::string& path);

}  // namespace ravel
