// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Ravel authors
//
// Progress on stderr: one line that is rewritten on a terminal, a plain line every 10 s elsewhere.
#pragma once

#include "driver/supervise.h"

namespace ravel {

class ProgressLine {
 public:
  explicit ProgressLine(bool enabled);
  ProgressLine(const ProgressLine&) = delete;
  ProgressLine& operator=(const ProgressLine&) = delete;
  ~ProgressLine() { clear(); }

  void show(const CampaignResult& so_far);
  void clear();

 private:
  bool enabled_;
  bool terminal_;
  bool shown_ = false;
  double last_plain_ = 0;
};

}  // namespace ravel
