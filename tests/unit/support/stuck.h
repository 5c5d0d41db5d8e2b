// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Ravel authors
//
// A hand-written trace that ends with threads that wait for ever, by the names used in it.
#pragma once

#include <gtest/gtest.h>

#include <memory>
#include <string>

#include "model/execution.h"
#include "model/text/trace_text.h"

namespace ravel::testing {

struct Stuck {
  explicit Stuck(const std::string& text, OutcomeKind outcome = OutcomeKind::kDeadlock)
      : result(std::make_unique<ExecutionResult>()) {
    const auto parsed = parse_trace(text);
    EXPECT_TRUE(parsed.has_value()) << (parsed ? "" : parsed.error().text());
    if (parsed) trace = *parsed;
    result->outcome = outcome;
  }

  // `holder`: who has what it wants. `since`: where it was taken.
  void waits(const std::string& thread, OpKind wants, const std::string& object, const std::string& holder = "",
             const std::string& since = "") {
    WaitingRecord& record = result->waiting_table[result->waiting++];
    record.thread = thread_of(thread);
    record.wants = wants;
    record.object = object_of(object);
    record.holder = holder.empty() ? kNoThread : thread_of(holder);
    record.held_since = since.empty() ? LocationId() : location_of(since);
  }

  Trace trace;
  std::unique_ptr<ExecutionResult> result;

 private:
  template <class List>
  static std::uint32_t index_in(const List& list, const std::string& name) {
    for (std::size_t i = 0; i < list.size(); ++i) {
      if (list[i] == name) return static_cast<std::uint32_t>(i);
    }
    ADD_FAILURE() << "no " << name;
    return 0;
  }
  [[nodiscard]] ThreadIndex thread_of(const std::string& name) const { return index_in(trace.thread_names, name); }
  [[nodiscard]] ObjectId object_of(const std::string& name) const { return index_in(trace.object_names, name); }
  [[nodiscard]] LocationId location_of(const std::string& name) const {
    return kNamedLocation + index_in(trace.locations, name);
  }
};

}  // namespace ravel::testing
