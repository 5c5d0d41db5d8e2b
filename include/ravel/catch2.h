// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Ravel authors
//
// Catch2, version 3 where its headers are there, else version 2. RAVEL_TEST_CASE("name", "[tags]") { ... } is a
// TEST_CASE whose body is explored. Including the header is enough for failed assertions of plain TEST_CASEs to be
// reported by `ravel run` with their line. Version 2: include it before, or instead of, <catch2/catch.hpp>. Version 3
// as two files: include <catch_amalgamated.hpp> first.
//
// A failed REQUIRE ends the execution; after a failed CHECK the test goes on to its end, as it does without Ravel.
// SECTION runs a body several times, which an exploration cannot: it is an error in a RAVEL_TEST_CASE.
#pragma once

#if defined(CATCH_AMALGAMATED_HPP_INCLUDED)
#define RAVEL_DETAIL_CATCH2_VERSION 3
#elif __has_include(<catch2/catch_test_macros.hpp>)
#define RAVEL_DETAIL_CATCH2_VERSION 3
#include <catch2/catch_assertion_result.hpp>
#include <catch2/catch_test_macros.hpp>
#include <catch2/interfaces/catch_interfaces_capture.hpp>
#include <catch2/reporters/catch_reporter_event_listener.hpp>
#include <catch2/reporters/catch_reporter_registrars.hpp>
#else
#define RAVEL_DETAIL_CATCH2_VERSION 2
#if defined(TWOBLUECUBES_SINGLE_INCLUDE_CATCH_HPP_INCLUDED) && !defined(CATCH_CONFIG_EXTERNAL_INTERFACES) && \
    !defined(CATCH_CONFIG_MAIN) && !defined(CATCH_CONFIG_RUNNER)
#error "include <ravel/catch2.h> before <catch2/catch.hpp>"
#endif
#ifndef CATCH_CONFIG_EXTERNAL_INTERFACES
#define CATCH_CONFIG_EXTERNAL_INTERFACES
#endif
#include <catch2/catch.hpp>
#endif

#include "ravel/test_core.h"

namespace ravel::detail {

#if RAVEL_DETAIL_CATCH2_VERSION == 3
using Catch2ListenerBase = ::Catch::EventListenerBase;
using Catch2AssertionEnded = void;  // what the listener's function returns
#else
using Catch2ListenerBase = ::Catch::TestEventListenerBase;
using Catch2AssertionEnded = bool;
#endif

// Comes before Catch2's reporter, so that the execution is ended later: when the test throws or ends.
class Catch2Listener : public Catch2ListenerBase {
 public:
  using Catch2ListenerBase::Catch2ListenerBase;

  void sectionStarting(const ::Catch::SectionInfo& section) override {
    Catch2ListenerBase::sectionStarting(section);
    if (!in_explored_body) return;
    note_failure("SECTION in a RAVEL_TEST_CASE: write a test case for each, or use ravel::choose()",
                 section.lineInfo.file, static_cast<unsigned>(section.lineInfo.line));
    end_at_noted_failure();
  }
  Catch2AssertionEnded assertionEnded(const ::Catch::AssertionStats& stats) override {
    note_if_failed(stats.assertionResult);
    return Catch2AssertionEnded(true);
  }
  void testCaseEnded(const ::Catch::TestCaseStats& stats) override {
    end_at_noted_failure();
    Catch2ListenerBase::testCaseEnded(stats);
  }

 private:
  static void note_if_failed(const ::Catch::AssertionResult& result) {
    if (result.isOk()) return;
    std::string what = result.hasExpression() ? result.getExpressionInMacro() : std::string();
    if (result.hasExpandedExpression()) what += " with expansion: " + result.getExpandedExpression();
    if (result.hasMessage()) what += (what.empty() ? "" : ": ") + std::string(result.getMessage());
    const ::Catch::SourceLineInfo where = result.getSourceInfo();
    note_failure(what, where.file, static_cast<unsigned>(where.line));
  }
};

#if RAVEL_DETAIL_CATCH2_VERSION == 3
inline const ::Catch::ListenerRegistrar<Catch2Listener> catch2_listener_added{::Catch::StringRef("ravel")};
#else
inline const ::Catch::ListenerRegistrar<Catch2Listener> catch2_listener_added;
#endif

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
