// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Ravel authors
//
// Isolation by rollback: the worker itself runs the program, and is put back to what it was before: its memory
// (snapshot.h) and what the kernel keeps for it (system_call_watch.h). Crashes, deadlocks and stack overflows end the
// execution, not the worker. An execution that cannot be taken back is complete all the same; the process is spoilt
// then.
#pragma once

#include "engine/event_sink.h"
#include "isolate/snapshot.h"
#include "isolate/streams.h"
#include "runtime/entry/takeover.h"
#include "wire/shared_block.h"

namespace ravel {

class RollbackExecutor {
 public:
  enum class Depth : std::uint8_t {
    kKnownLines,  // no comparison
    kCompare,
    kEverywhere,  // as kCompare, and stray writes are looked for
  };

  RollbackExecutor(SharedBlock& block, const rt::ExecutionStart& start, void* stack, const Streams& streams)
      : block_(block), start_(start), stack_(stack), streams_(streams) {}

  // From now on this process can be put back to where it is now. False: not here, `why` says why.
  bool prepare(const char*& why);

  // Runs the plan; the process is left as the program left it. `compared`: put_back() is likely to compare.
  void run(EventSink& sink, bool compared);
  // Undoes the last run. False: the process is spoilt, see why().
  bool put_back(Depth depth);
  [[nodiscard]] const char* why() const { return why_; }
  // The last comparison found that a run had changed more than the known lines.
  [[nodiscard]] bool surprised() const { return surprised_; }
  [[nodiscard]] bool ended_normally() const { return normal_; }

 private:
  SharedBlock& block_;
  const rt::ExecutionStart start_;
  void* const stack_;
  const Streams& streams_;
  Snapshot* snapshot_ = nullptr;
  EventSink* sink_ = nullptr;
  const char* why_ = "";
  bool normal_ = false;
  bool streams_used_ = true;
  bool surprised_ = false;
};

}  // namespace ravel
