// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Ravel authors
//
// The execution in a block, for those who know no block.
#pragma once

#include "model/trace_view.h"
#include "wire/shared_block.h"

namespace ravel {

inline TraceView trace_of(const SharedBlock& block) {
  return {.result = &block.result,
          .plan = &block.plan,
          .events = block.ring,
          .operands = block.operands,
          .threads = block.threads,
          .objects = block.objects,
          .decisions = block.decisions,
          .enabled = block.enabled,
          .schedule = block.schedule,
          .pending = block.pending_table,
          .contexts = block.contexts,
          .modules = block.modules,
          .system_code = std::span<const CodeRange>(
              block.system_code, block.campaign.system_ranges < kMaxSystemCode ? block.campaign.system_ranges : 0),
          .first_functions = block.first_functions,
          .ranked = block.ranked,
          .gate = block.sequence};
}

}  // namespace ravel
