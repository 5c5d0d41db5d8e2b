// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Ravel authors
//
// The zygote waits for its worker. A worker that runs an execution inside itself cannot notice that it hangs: that is
// seen from here.
#pragma once

#include <sys/types.h>

#include <cstdint>

namespace ravel {

struct SharedBlock;

struct WorkerEnd {
  int wait_status = 0;
  bool hung = false;  // it was killed because its execution made no step for too long
};

// From `deadline` on (0: never) the worker is asked to stop after its present execution.
WorkerEnd await_worker(SharedBlock& block, pid_t worker, std::uint64_t deadline);

}  // namespace ravel
