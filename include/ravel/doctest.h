// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Ravel authors
//
// doctest. RAVEL_TEST_CASE("name") { ... } is a TEST_CASE whose body is explored. Including the header is enough for
// failed assertions of plain TEST_CASEs to be reported by `ravel run` with their line.
//
// A failed REQUIRE ends the execution; after a failed CHECK the test goes on to its end, as it does without Ravel.
// SUBCASE runs a body several times, which an exploration cannot: it is an error in a RAVEL_TEST_CASE.
#pragma once

#include <doctest/doctest.h>

#include "ravel/test_core.h"

namespace ravel::detail {

// Comes before doctest's reporter, so that the execution is ended later: when the test throws or ends.
class DoctestListener : public ::doctest::IReporter {
 public:
  explicit DoctestListener(const ::doctest::ContextOptions&) {}

  void report_query(const ::doctest::QueryData&) override {}
  void test_run_start() override {}
  void test_run_end(const ::doctest::TestRunStats&) override {}
  void test_case_start(const ::doctest::TestCaseData&) override {}
  void test_case_reenter(const ::doctest::TestCaseData&) override {}
  void test_case_end(const ::doctest::CurrentTestCaseStats&) override { end_at_noted_failure(); }
  void test_case_exception(const ::doctest::TestCaseException&) override {}
  void subcase_start(const ::doctest::SubcaseSignature& subcase) override {
    if (!in_explored_body) return;
    note_failure("SUBCASE in a RAVEL_TEST_CASE: write a test case for each, or use ravel::choose()", subcase.m_file,
                 static_cast<unsigned>(subcase.m_line));
    end_at_noted_failure();
  }
  void subcase_end() override {}
  void log_assert(const ::doctest::AssertData& data) override {
    if (!data.m_failed || (data.m_at & ::doctest::assertType::is_warn) != 0) return;
    std::string what = std::string(::doctest::assertString(data.m_at)) + "( " + data.m_expr + " )";
    if (data.m_threw) {
      what += std::string(" threw: ") + data.m_exception.c_str();
    } else if (data.m_decomp.size() != 0) {
      what += std::string(" with values: ") + data.m_decomp.c_str();
    }
    note_failure(what, data.m_file, static_cast<unsigned>(data.m_line));
  }
  void log_message(const ::doctest::MessageData& data) override {
    if ((data.m_severity & ::doctest::assertType::is_warn) != 0) return;
    note_failure(data.m_string.c_str(), data.m_file, static_cast<unsigned>(data.m_line));
  }
  void test_case_skipped(const ::doctest::TestCaseData&) override {}
};

inline const int doctest_listener_added = ::doctest::registerReporter<DoctestListener>("ravel", 1, false);

// What the framework is to tell of a failure.
inline std::string explore_doctest(void (*body)()) {
  const char* name = ::doctest::getContextOptions()->currentTest->m_name;
  return explore_test(body, "--test-case=" + escaped(name, ",\\"), {.name = name});
}

}  // namespace ravel::detail

// FAIL is here, not in a function, for the sake of the line it names.
#define RAVEL_DETAIL_DOCTEST(body, ...)                                                                     \
  static void body();                                                                                       \
  DOCTEST_TEST_CASE(__VA_ARGS__) {                                                                          \
    if (const std::string told = ::ravel::detail::explore_doctest(body); !told.empty()) DOCTEST_FAIL(told); \
  }                                                                                                         \
  static void body()

#define RAVEL_TEST_CASE(...) RAVEL_DETAIL_DOCTEST(DOCTEST_ANONYMOUS(RAVEL_EXPLORED_BODY_), __VA_ARGS__)
