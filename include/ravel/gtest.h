// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Ravel authors
//
// GoogleTest. RAVEL_TEST(Suite, Name) { ... } and RAVEL_TEST_F(Fixture, Name) { ... } are TEST and TEST_F whose bodies
// are explored.
// Including the header is enough for failed assertions of plain TESTs to be reported by `ravel run` with their line.
//
// A failed assertion, EXPECT too, ends the execution: what comes after it does not belong to the failing schedule.
#pragma once

#include <gtest/gtest.h>

#include <algorithm>

#include "ravel/test_core.h"

namespace ravel::detail {

// Comes after GoogleTest's own printer, which already reported the failure.
class GtestListener : public ::testing::EmptyTestEventListener {
  void OnTestStart(const ::testing::TestInfo& test) override { test_ = &test; }
  void OnTestPartResult(const ::testing::TestPartResult& part) override {
    if (!part.failed()) return;
    noted_failure = {};
    note_failure(part.summary(), part.file_name(), static_cast<unsigned>(std::max(part.line_number(), 0)));
    if (ravel_exploring() == 0) return;
    // The end of the test is never reached, so that its line is printed here.
    auto* printer = ::testing::UnitTest::GetInstance()->listeners().default_result_printer();
    if (printer != nullptr && test_ != nullptr) printer->OnTestEnd(*test_);
    end_at_noted_failure();
  }

  const ::testing::TestInfo* test_ = nullptr;  // UnitTest holds its lock: it cannot be asked
};

inline const bool gtest_listener_added = [] {
  if (&ravel_fail != nullptr) ::testing::UnitTest::GetInstance()->listeners().Append(new GtestListener);
  return true;
}();

template <class Body>
void explore_gtest(Body&& body, const char* name, const char* file, int line) {
  const std::string told =
      explore_test(std::forward<Body>(body), std::string("--gtest_filter=") + name, {.name = name});
  if (!told.empty()) ADD_FAILURE_AT(file, line) << told;
}

}  // namespace ravel::detail

#define RAVEL_DETAIL_GTEST(fixture, suite, test)                                                         \
  class suite##_##test##_RavelTest : public fixture {                                                    \
    void TestBody() override {                                                                           \
      ::ravel::detail::explore_gtest([this] { explored_body(); }, #suite "." #test, __FILE__, __LINE__); \
    }                                                                                                    \
    void explored_body();                                                                                \
  };                                                                                                     \
  [[maybe_unused]] static ::testing::TestInfo* const suite##_##test##_RavelTest_registered =             \
      ::testing::RegisterTest(#suite, #test, nullptr, nullptr, __FILE__, __LINE__,                       \
                              []() -> fixture* { return new suite##_##test##_RavelTest; });              \
  void suite##_##test##_RavelTest::explored_body()

#define RAVEL_TEST(suite, test) RAVEL_DETAIL_GTEST(::testing::Test, suite, test)
#define RAVEL_TEST_F(fixture, test) RAVEL_DETAIL_GTEST(fixture, fixture, test)
