// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Ravel authors
//
// Progress on stderr: one line that is rewritten on a terminal, a plain line every 10 s elsewhere.
#pragma once

#include <string>

#include "driver/supervise.h"
#include "investigate/confirm.h"

namespace ravel {

class ProgressLine {
 public:
  explicit ProgressLine(bool enabled);
  ProgressLine(const ProgressLine&) = delete;
  ProgressLine& operator=(const ProgressLine&) = delete;
  ~ProgressLine() { clear(); }

  void show(const CampaignResult& so_far);
  // Of the work on findings: nothing during its first second.
  void show(const WorkProgress& so_far);
  // Of a campaign that is such work.
  ProgressListener listener(std::string_view what) {
    return [this, what](const CampaignResult& so_far) { show({what, so_far.executions, 0}); };
  }
  void clear();

 private:
  void print(const std::string& text);

  bool enabled_;
  bool terminal_;
  bool shown_ = false;
  double last_plain_ = 0;
  std::string work_;  // that goes on, and since when
  Clock::time_point since_{};
  Clock::time_point told_{};
};

}  // namespace ravel
