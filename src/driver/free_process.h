// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Ravel authors
//
// One run of a program in free-running mode: a fresh process on real threads, with libravel_free.so in front of the
// runtime and a block of shared memory of its own. Closing it kills what is left of its process group.
#pragma once

#include <sys/types.h>

#include <memory>
#include <string>

#include "driver/output_capture.h"
#include "driver/session.h"
#include "model/text/result.h"
#include "wire/free_block.h"

namespace ravel {

class FreeProcess {
 public:
  // `library` is the path of libravel_free.so.
  static Result<std::unique_ptr<FreeProcess>> start(const ProgramStart& program, const std::string& library,
                                                    const FreeRequest& request);
  FreeProcess(const FreeProcess&) = delete;
  FreeProcess& operator=(const FreeProcess&) = delete;
  ~FreeProcess();

  [[nodiscard]] bool has_ended();  // reaps; never blocks
  void kill();                     // at once, the whole group
  [[nodiscard]] pid_t pid() const { return pid_; }
  [[nodiscard]] int wait_status() const { return wait_status_; }
  [[nodiscard]] const FreeBlock& block() const { return *block_; }
  [[nodiscard]] const OutputCapture& output() const { return output_; }

 private:
  FreeProcess() = default;
  Result<void> make_block(const FreeRequest& request);
  void reap();

  OutputCapture output_;
  FreeBlock* block_ = nullptr;
  std::uint64_t bytes_ = 0;  // of it, and the logs behind it
  int memory_ = -1;
  pid_t pid_ = -1;
  int wait_status_ = 0;
  bool ended_ = false;
};

}  // namespace ravel
