// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Ravel authors
//
// Which of the things that detectors found in a failing execution are likely to have caused the failure.
#pragma once

#include <vector>

#include "driver/execution_record.h"

namespace ravel {

inline constexpr std::size_t kMaxCauses = 2;

// The detections that the failing thread took part in, or whose memory it looked at afterwards, the latest first.
// Predictions about other schedules cause nothing.
std::vector<const DetectionRecord*> likely_causes(const ExecutionRecord& record);

}  // namespace ravel
