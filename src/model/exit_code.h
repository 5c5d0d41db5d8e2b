// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Ravel authors
//
// The exit codes of every command, in one place (docs/cli.md). `replay` uses kDefect for "reproduced".
// The compiler wrapper passes the compiler's own code on instead.
#pragma once

namespace ravel {

enum ExitCode : int {
  kExitClean = 0,         // explored (or replayed) and no defect
  kExitDefect = 1,        // a defect was found (or reproduced)
  kExitUsage = 2,         // the command line, or a file it names, is wrong
  kExitCannotTest = 3,    // vacuous, not instrumented, or the replay diverged
  kExitInternal = 4,      // our own error
  kExitInconclusive = 5,  // the budget ended before a requested guarantee
  kExitInterrupted = 130,
};

}  // namespace ravel
