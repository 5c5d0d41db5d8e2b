// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Ravel authors
//
// The tool. Everything is in cli/; exceptions of the libraries we stand on end here as an internal error.
#include <fmt/format.h>

#include <exception>

#include "cli/command.h"
#include "cli/standard_streams.h"
#include "model/exit_code.h"

int main(int argc, char** argv) {
  if (auto ready = ravel::prepare_standard_streams(); !ready) return ravel::fail(ready.error());
  try {
    return ravel::finish_standard_streams(ravel::run_tool(ravel::words_of(argc, argv)));
  } catch (const std::exception& error) {
    fmt::print(stderr, "ravel: internal error: {}; please report it\n", error.what());
    return ravel::kExitInternal;
  }
}
