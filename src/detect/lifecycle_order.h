// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Ravel authors
//
// Happens-before by creation and joining of threads alone, for detectors that take locks into account themselves.
#pragma once

#include "causality/causality.h"
#include "detect/detector.h"

namespace ravel {

inline CausalityOptions lifecycle_options() {
  CausalityOptions options;
  options.max_threads = kDetectorThreads;
  options.max_clock_nodes = 1u << 16;
  options.max_sync_places = 16;
  options.lifecycle_only = true;
  return options;
}

}  // namespace ravel
