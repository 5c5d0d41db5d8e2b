// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Ravel authors
//
// Runs a program once in free-running mode, to its end or until it is stuck.
#pragma once

#include <chrono>
#include <functional>
#include <string>

#include "driver/budget.h"
#include "driver/free_record.h"

namespace ravel {

struct FreeRunOptions {
  ProgramStart program;
  std::string library;  // libravel_free.so
  std::chrono::milliseconds hang{10'000};
  int expect_exit = 0;
  Deadline deadline;
};

// The record of an interrupted run has the outcome kNotRun. `look` sees the block before it is gone.
Result<FreeRecord> run_free(const FreeRunOptions& options, const FreeRequest& request,
                            const std::function<void(const FreeBlock&)>& look = {});

}  // namespace ravel
