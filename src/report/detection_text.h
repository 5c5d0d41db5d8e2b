// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Ravel authors
//
// What a detector found, in words: the explanation of its row with the holes filled in, and each event it rests on with
// the locks its thread held.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "report/finding.h"
#include "report/names.h"

namespace ravel {

struct DetectionText {
  std::string message;
  std::string detector;
  bool heuristic = false;
  std::vector<std::string> lines;
  std::vector<FindingEvent> events;
};

DetectionText explain_detection(Names& names, const DetectionRecord& found);

// The explanation with its holes filled (detect/detector_table.h); what is no hole stays as it is.
std::string fill_explanation(std::string_view text, Names& names, const DetectionRecord& found);

}  // namespace ravel
