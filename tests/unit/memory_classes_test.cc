// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Ravel authors
#include <gtest/gtest.h>

#include "runtime/memory/size_classes.h"

namespace ravel::rt {
namespace {

TEST(SizeClasses, EverySmallSizeFitsWithLittleWaste) {
  for (std::size_t size = 0; size <= kMaxSmall; ++size) {
    const unsigned cls = small_class(size);
    ASSERT_LT(cls, kSmallClasses) << size;
    ASSERT_GE(small_bytes(cls), size);
    ASSERT_LE(small_bytes(cls), size + size / 4 + kGranule) << size;
    if (cls > 0) {
      ASSERT_LT(small_bytes(cls - 1), size) << "not the smallest class that fits";
    }
  }
}

TEST(SizeClasses, RunsUpToTheWholeRegion) {
  for (std::size_t spans = 1; spans <= std::size_t{1} << 20; spans += 1 + spans / 100) {
    const unsigned cls = run_class(spans);
    ASSERT_LT(cls, kRunClasses) << spans;
    ASSERT_GE(run_spans(cls), spans);
    ASSERT_LE(run_spans(cls), spans + spans / 4 + 1);
  }
}

}  // namespace
}  // namespace ravel::rt
