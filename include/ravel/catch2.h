// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Ravel authors
//
// Catch2 version 2. RAVEL_TEST_CASE("name", "[tags]") { ... } is a TEST_CASE whose body is explored. Including the
// header is enough for failed assertions of plain TEST_CASEs to be told by `ravel run` with their line. Include it
// before, or instead of, <catch2/catch.hpp>.
//
// A failed REQUIRE ends the execution; after a failed CHECK the test goes on to its end, as it does without Ravel.
// SECTION runs a body several times, which an exploration cannot: it is an error in a RAVEL_TEST_CASE.
#pragma once

#if defined(TWOBLUECUBES_SINGLE_INCLUDE_CATCH_HPP_INCLUDED) && !defined(CATCH_CONFIG_EXTERNAL_INTERFACES) && \
    !defined(CATCH_CONFIG_MAIN) && !defined(CATCH_CONFIG_RUNNER)
#error "include <ravel/catch2.h> before <catch2/catch.hpp>"
#endif
#ifndef CATCH_CONFIG_EXTERNAL_INTERFACES
#define CATCH_CONFIG_EXTERNAL_INTERFACES
#endif
#include <catch2/catch.hpp>

#include "ravel/test_core.h"

namespace ravel::detail {

// Comes before Catch2's reporter, so that the execution is ended later: when the test throws or ends.
class Catch2Listener : public ::Catch::TestEventListenerBase {
 public:
  using TestEventListenerBase::TestEventListenerBase;

  void sectionStarting(const ::Catch::SectionInfo& section) override {
    TestEventListenerBase::sectionStarting(section);
    if (!in_explored_body) return;
    note_failure("SECTION in a RAVEL_TEST_CASE: write a test case for each, or use ravel::choose()",
                 section.lineInfo.file, static_cast<unsigned>(section.lineInfo.line));
    end_at_noted_failure();
  }
  bool assertionEnded(const ::Catch::AssertionStats& stats) override {
    const ::Catch::AssertionResult& result = stats.assertionResult;
    if (result.isOk()) return true;
    std::string what = result.hasExpression() ? result.getExpressionInMacro() : std::string();
    if (result.hasExpandedExpression()) what += " with expansion: " + result.getExpandedExpression();
    if (result.hasMessage()) what += (what.empty() ? "" : ": ") + std::string(result.getMessage());
    const ::Catch::SourceLineInfo where = result.getSourceInfo();
    note_failure(what, where.file, static_cast<unsigned>(where.line));
    return true;
  }
  void testCaseEnded(const ::Catch::TestCaseStats& stats) override {
    end_at_noted_failure();
    TestEventListenerBase::testCaseEnded(stats);
  }
};

inline const ::Catch::ListenerRegistrar<Catch2Listener> catch2_listener_added;

// What the framework is to tell of a failure.
inline std::string explore_catch2(void (*body)()) {
  const std::string name = ::Catch::getResultCapture().getCurrentTestName();
  return explore_test(body, escaped(name, ",[]\"\\"), {.name = name.c_str()});
}

}  // namespace ravel::detail

// FAIL is here, not in a function, for the sake of the line it names.
#define RAVEL_DETAIL_CATCH2(body, ...)                                                             \
  static void body();                                                                              \
  TEST_CASE(__VA_ARGS__) {                                                                         \
    if (const std::string told = ::ravel::detail::explore_catch2(body); !told.empty()) FAIL(told); \
  }                                                                                                \
  static void body()

#define RAVEL_TEST_CASE(...) RAVEL_DETAIL_CATCH2(INTERNAL_CATCH_UNIQUE_NAME(ravel_explored_body_), __VA_ARGS__)
