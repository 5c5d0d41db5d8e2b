// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Ravel authors
//
// What ravel/gtest.h, ravel/catch2.h and ravel/doctest.h share: a test's body as an exploration, and a framework's
// failed assertion as the end of an execution. Works in the three kinds of builds of ravel/ravel.h; without Ravel all
// of it does nothing and the body runs once.
#pragma once

#include <dlfcn.h>
#include <errno.h>
#include <unwind.h>

#include <cctype>
#include <cstring>
#include <string>
#include <string_view>

#include "ravel/ravel.h"

namespace ravel::detail {

// A failed assertion, until the framework has printed it.
struct NotedFailure {
  std::string what;  // empty: none
  std::string file;
  unsigned line = 0;
  const void* place = nullptr;
};
inline NotedFailure noted_failure;
inline bool in_explored_body = false;

// Functions of the frameworks and of these headers, by their mangled names: what is not one of them is the test's own.
inline bool is_frameworks(const void* code) {
  static constexpr std::string_view kNamespaces[] = {"7testing", "5Catch", "7doctest", "5ravel"};
  Dl_info info = {};
  if (dladdr(const_cast<void*>(code), &info) == 0 || info.dli_sname == nullptr) return false;
  std::string_view name = info.dli_sname;
  if (name.substr(0, 3) != "_ZN") return false;
  name.remove_prefix(3);
  while (!name.empty() && std::strchr("KVrRO", name[0]) != nullptr) name.remove_prefix(1);  // of member functions
  for (const std::string_view known : kNamespaces) {
    if (name.substr(0, known.size()) == known) return true;
  }
  return false;
}

// The innermost return address in the test's own code: where the assertion stands.
inline const void* users_code() {
  const void* found = nullptr;
  _Unwind_Backtrace(
      [](_Unwind_Context* context, void* out) {
        // One byte back: the call may have been the last instruction of its function.
        const auto* code = reinterpret_cast<const char*>(_Unwind_GetIP(context));
        if (is_frameworks(code - 1)) return _URC_NO_REASON;
        *static_cast<const void**>(out) = code;
        return _URC_NORMAL_STOP;
      },
      &found);
  return found;
}

// Frameworks write several lines; a finding's message is one.
inline std::string one_line(std::string_view text) {
  std::string out;
  for (const char c : text) {
    if (std::isspace(static_cast<unsigned char>(c)) == 0) {
      out += c;
    } else if (!out.empty() && out.back() != ' ') {
      out += ' ';
    }
  }
  if (!out.empty() && out.back() == ' ') out.pop_back();
  return out;
}

// Ends the execution with this failure. Outside of executions it returns: the framework goes on as usual.
inline void fail_execution(const NotedFailure& failure) {
  if (&ravel_fail != nullptr) ravel_fail(failure.what.c_str(), failure.file.c_str(), failure.line, failure.place);
}

// The first one counts.
inline void note_failure(std::string_view what, const char* file, unsigned line) {
  if (&ravel_fail == nullptr || !noted_failure.what.empty()) return;
  noted_failure = {one_line(what), file != nullptr ? file : "", line, users_code()};
  if (noted_failure.what.empty()) noted_failure.what = "assertion failed";
}

inline void end_at_noted_failure() {
  if (!noted_failure.what.empty()) fail_execution(noted_failure);
  noted_failure = {};
}

inline std::string shell_word(std::string_view word) {
  std::string quoted = "'";
  bool plain = !word.empty();
  for (const char c : word) {
    plain = plain && (std::isalnum(static_cast<unsigned char>(c)) != 0 || std::strchr("_./:=-+@%,", c) != nullptr);
    if (c == '\'') {
      quoted += "'\\''";
    } else {
      quoted += c;
    }
  }
  return plain ? std::string(word) : quoted + "'";
}

// A test's name as a filter of its own framework.
inline std::string escaped(std::string_view name, const char* special) {
  std::string out;
  for (const char c : name) {
    if (std::strchr(special, c) != nullptr) out += '\\';
    out += c;
  }
  return out;
}

// Explores the body. Gives what the framework is to tell of a failure, empty if there was none. `select` is the
// program's argument that runs this test alone.
template <class Body>
std::string explore_test(Body&& body, const std::string& select, Options options) {
  options.print = false;
  options.throw_on_failure = false;
  auto explored = [&body] {
    if (&ravel_explore == nullptr) return body();
    in_explored_body = true;
    noted_failure = {};
    try {
      body();
    } catch (...) {
      end_at_noted_failure();  // a framework's way out of the test
      throw;
    }
    end_at_noted_failure();
    in_explored_body = false;
  };
  const Result result = explore(explored, options);
  if (result.passed) return {};
  const char* end = result.output.empty() || result.output.back() == '\n' ? "" : "\n";
  return result.kind + ": " + result.message + "\nin schedule " + std::to_string(result.failing_execution + 1) +
         ", after " + std::to_string(result.switches) + " context switches\n" + result.output + end +
         "reproduce: ravel run " + shell_word(program_invocation_name) + " " + shell_word(select);
}

}  // namespace ravel::detail
