// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Ravel authors
//
// Session: one started program under the runtime's control, with its shared block and its captured output. The program
// leads a process group of its own; closing the session kills what is left of that group. Not thread-safe; the driver
// is single-threaded and polls several sessions in turn.
//
// Use: create(), fill block().campaign (and plan, prefix, racy for a replay), start(), then poll() until it says ended.
#pragma once

#include <sys/types.h>

#include <chrono>
#include <memory>
#include <string>
#include <vector>

#include "driver/output_capture.h"
#include "driver/scratch_folder.h"
#include "driver/shared_memory.h"
#include "model/text/result.h"

namespace ravel {

// Functions of the program whose calls are regions that are meant to be atomic (--regions).
struct RegionFunctions {
  std::vector<std::string> patterns;  // as they were given
  std::vector<CodeRange> code;        // by start, at most kMaxRegionFunctions
};

struct ProgramStart {
  std::string path;               // absolute
  std::vector<std::string> argv;  // argv[0] included
  std::string cwd;                // empty: stay
  std::string stdin_path;         // empty: /dev/null
  bool pass_output = false;       // the program writes to our stdout and stderr
  bool scratch = false;           // each execution runs in an empty folder of its own
  RegionFunctions regions;
};

enum class SessionState { kRunning, kEnded };

class Session {
 public:
  static Result<std::unique_ptr<Session>> create();
  static std::unique_ptr<Session> create(SharedMemory memory);
  Session(const Session&) = delete;
  Session& operator=(const Session&) = delete;
  ~Session();

  [[nodiscard]] SharedBlock& block() { return memory_.block(); }
  // Grows while the execution in hand does anything.
  [[nodiscard]] std::uint64_t movement() {
    return block().result.steps.load(std::memory_order_relaxed) +
           block().progress.signs_of_life.load(std::memory_order_relaxed);
  }
  // Makes a descriptor (for example for an exported trace) survive the start; its number is the same in the program.
  void inherit(int descriptor) { inherited_.push_back(descriptor); }

  Result<void> start(const ProgramStart& program);
  // Replaces this process by `command` with the control descriptor ready; returns only on error. For gdb.
  Error execute(const std::vector<std::string>& command, const ProgramStart& program);

  SessionState poll();  // reaps; never blocks
  void request_stop();  // after the present execution
  void kill();          // at once, the whole group
  void kill_child();    // only the process that runs the program now, if it is in our group
  [[nodiscard]] bool campaign_done() const;
  [[nodiscard]] bool runtime_ready() const;
  // Set when the runtime refused to start, or the program died before it was ready.
  [[nodiscard]] std::string start_problem() const;
  [[nodiscard]] pid_t pid() const { return pid_; }
  [[nodiscard]] int end_descriptor() const { return ended_ ? -1 : end_; }  // for wait_for_end()
  [[nodiscard]] int wait_status() const { return wait_status_; }

  // What the last execution wrote; at most `limit` bytes of its end.
  [[nodiscard]] std::string captured(int stream, std::size_t limit = 64 * 1024) const {
    return capture_.text(stream, limit);
  }
  // A program that writes without end must not fill the machine's memory.
  void bound_capture() const { capture_.bound(); }

  // Code from headers of the system, by start; before start(). What does not fit is taken for the user's.
  // Code from headers of the system, and functions whose calls begin a job.
  void set_coverage_code(const std::vector<CodeRange>& system, const std::vector<CodeRange>& jobs);

 private:
  explicit Session(SharedMemory memory) : memory_(std::move(memory)) {}
  void reap();
  void set_regions(const std::vector<CodeRange>& code);

  SharedMemory memory_;
  ScratchFolder scratch_;
  std::vector<int> inherited_;
  OutputCapture capture_;
  pid_t pid_ = -1;
  int end_ = -1;
  int wait_status_ = 0;
  bool ended_ = false;
};

}  // namespace ravel
