// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Ravel authors
//
// Keys sort steps beforehand: who has no key in common is not even asked for. So whatever the dependence table calls
// dependent must have a key in common, for every pair of kinds there is or will be.
#include <gtest/gtest.h>

#include <memory_resource>

#include "base/random.h"
#include "explore/steps.h"

namespace ravel {
namespace {

OperationView random_operation(Random& random, OpKind kind, ThreadIndex thread) {
  OperationView op;
  op.kind = kind;
  op.thread = thread;
  op.size = static_cast<std::uint16_t>(random.below(9));
  // Few places, close to each other, so that ranges meet.
  op.place = (std::uint64_t{1} << 32) + random.below(24);
  const std::uint64_t values[] = {0, 1, 2, 3, kNoThread, op.place, (std::uint64_t{1} << 32) + random.below(24)};
  op.value = values[random.below(7)];
  op.bits = static_cast<std::uint8_t>((random.below(2) != 0 ? kFailed : 0) | (random.below(4) == 0 ? kTimeout : 0));
  return op;
}

// Nobody could tell whether it came before a signal or the end.
bool does_nothing(const OperationView& op) {
  return family_of(op.kind) == OpFamily::kNone && op_class(op.kind) != OpClass::kTime;
}

TEST(Keys, DependentOperationsHaveOneInCommon) {
  std::pmr::monotonic_buffer_resource memory;
  const Steps steps(memory);
  const auto kinds = static_cast<unsigned>(OpKind::kCount);
  Random random(1);
  for (unsigned a = 0; a < kinds; ++a) {
    for (unsigned b = 0; b < kinds; ++b) {
      for (int round = 0; round < 200; ++round) {
        Act first;
        Act second;
        first.op = random_operation(random, static_cast<OpKind>(a), 1);
        second.op = random_operation(random, static_cast<OpKind>(b), 2);
        if (!conflict(first, second) || does_nothing(first.op) || does_nothing(second.op)) continue;
        ASSERT_NE(steps.keys_of(first).mask & steps.keys_of(second).mask, 0u)
            << op_name(first.op.kind) << " at " << first.op.place << ", " << op_name(second.op.kind) << " at "
            << second.op.place;
      }
    }
  }
}

// What nobody has said anything about is not reasoned about. Waiters that move from word to word are not modelled, a
// fork takes a copy of all that others have done, and nobody knows which accesses an unmapping conflicts with, or which
// calls look at a setting.
TEST(Keys, EveryKindSaysWhetherItCanBeReasonedAbout) {
  for (unsigned kind = 0; kind < static_cast<unsigned>(OpKind::kCount); ++kind) {
    const auto one = static_cast<OpKind>(kind);
    const bool unknown =
        one == OpKind::kFutexRequeue || one == OpKind::kFork || one == OpKind::kUnmap || one == OpKind::kSetting;
    EXPECT_EQ(reasoning_of(one) == Reasoning::kUnknown, unknown) << op_name(one);
  }
  constexpr OperationRow kFresh{"fresh", OpClass::kSync};
  static_assert(kFresh.reasoning == Reasoning::kUnknown);
}

}  // namespace
}  // namespace ravel
