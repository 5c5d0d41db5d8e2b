// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Ravel authors
//
// What a test author includes. All of it works in three kinds of builds:
//   under `ravel run`          the tool explores each explore() call, confirms, reports and saves what it finds
//   linked with the runtime    explore() explores by itself and throws on failure
//   without Ravel              explore() runs its body once, choose() is 0, check() is an assertion, the rest does
//   nothing
// Calls reach the runtime through weak symbols: nothing has to be linked, no macro has to be set.
//
// The body runs many times, each time from the same state: what it changes outside of itself is not seen by the caller.
// Locks and condition variables that it uses should be made inside of it.
#pragma once

#include <cstddef>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <stdexcept>
#include <string>
#include <string_view>
#include <type_traits>
#include <utility>

#include "ravel/interface.h"

namespace ravel {

// For explore() without the tool; under `ravel run` the options of the command line hold.
struct Options {
  const char* name = "";               // shown in reports
  const char* strategy = "portfolio";  // as of `ravel list`, with parameters: "pct,depth=3"
  const char* points = "racy";         // sync, racy, shared, all
  const char* faults = "";             // failures to inject: "weak-cas,alloc"
  std::uint64_t iterations = 10'000;
  std::uint64_t milliseconds = 10'000;
  std::uint64_t seed = 1;
  std::uint64_t max_steps = 1'000'000;
  std::uint64_t max_faults = 1;
  bool print = true;             // tell of a failure on stderr
  bool throw_on_failure = true;  // exploration_failed
};

struct Result {
  bool passed = true;
  bool explored = false;  // false: no Ravel, or the tool looks at another call of explore() in this process
  bool complete = false;  // every schedule was covered
  std::uint64_t executions = 0;
  std::uint64_t distinct = 0;           // different traces
  std::uint64_t failing_execution = 0;  // its number, from 0
  std::uint32_t switches = 0;           // context switches of the failing execution
  std::string kind;
  std::string message;
  std::string place;
  std::string output;

  explicit operator bool() const { return passed; }
};

class exploration_failed : public std::runtime_error {
 public:
  explicit exploration_failed(Result result)
      : std::runtime_error(result.kind + ": " + result.message), result_(std::move(result)) {}
  [[nodiscard]] const Result& result() const { return result_; }

 private:
  Result result_;
};

namespace detail {

// An exception that leaves the body ends the execution, as it would end a thread: never does it reach the caller.
template <class Body>
void call_body(void* body) noexcept {
  (*static_cast<Body*>(body))();
}

inline void print_failure(const Result& result) {
  std::fprintf(stderr, "ravel: FAILED %s %s%s%s in execution %llu of %llu, after %u context switches\n",
               result.kind.c_str(), result.message.c_str(), result.place.empty() ? "" : " at ", result.place.c_str(),
               static_cast<unsigned long long>(result.failing_execution),
               static_cast<unsigned long long>(result.executions), result.switches);
  if (!result.output.empty()) std::fprintf(stderr, "%s", result.output.c_str());
  std::fprintf(stderr, "ravel: `ravel run' on this program tells the whole story and saves it for replay\n");
}

inline std::string value_text(bool value) {
  return value ? "true" : "false";
}
inline std::string value_text(const char* value) {
  return value;
}
inline std::string value_text(std::string_view value) {
  return std::string(value);
}
template <class Value>
std::string value_text(const Value& value) {
  if constexpr (std::is_enum_v<Value>) {
    return std::to_string(static_cast<std::underlying_type_t<Value>>(value));
  } else if constexpr (std::is_convertible_v<const Value&, std::string_view>) {
    return std::string(std::string_view(value));
  } else {
    static_assert(std::is_arithmetic_v<Value>, "observe() takes numbers, truth values, enumerators and texts");
    return std::to_string(value);
  }
}

}  // namespace detail

// Runs the body under many schedules. Throws exploration_failed unless the options say otherwise; std::runtime_error
// when it could not explore at all.
template <class Body>
Result explore(Body&& body, const Options& options = {}) {
  Result result;
  if (&ravel_explore == nullptr) {
    std::forward<Body>(body)();
    result.executions = 1;
    return result;
  }
  ravel_explore_request request = {};
  request.bytes = sizeof request;
  auto run = [&body] { body(); };
  request.body = detail::call_body<decltype(run)>;
  request.argument = &run;
  request.name = options.name;
  request.strategy = options.strategy;
  request.points = options.points;
  request.faults = options.faults;
  request.iterations = options.iterations;
  request.milliseconds = options.milliseconds;
  request.seed = options.seed;
  request.max_steps = options.max_steps;
  request.max_faults = options.max_faults;
  ravel_explore_answer answer = {};
  answer.bytes = sizeof answer;
  ravel_explore(&request, &answer);
  if (answer.error[0] != 0) throw std::runtime_error(std::string("ravel: ") + answer.error);
  result.passed = answer.failed == 0;
  result.explored = answer.explored != 0;
  result.complete = answer.complete != 0;
  result.executions = answer.executions;
  result.distinct = answer.distinct;
  result.failing_execution = answer.failing_execution;
  result.switches = answer.switches;
  result.kind = answer.kind;
  result.message = answer.message;
  result.place = answer.place;
  result.output = answer.output;
  if (result.passed) return result;
  if (options.print) detail::print_failure(result);
  if (options.throw_on_failure) throw exploration_failed(result);
  return result;
}

// One of n alternatives, 0 to n - 1: part of the schedule, so it is enumerated by exhaustive strategies and replayed.
inline std::uint32_t choose(std::uint32_t n) {
  return &ravel_choose != nullptr && n > 1 ? ravel_choose(n) : 0;
}

// The name under which reports speak of the object.
template <class Object>
void label(const Object& object, const char* name) {
  if (&ravel_label != nullptr) ravel_label(&reinterpret_cast<const volatile char&>(object), sizeof object, name);
}

// An assertion that stays in release builds.
inline void check(bool condition, const char* what = "check failed", const char* file = __builtin_FILE(),
                  unsigned line = __builtin_LINE()) {
  if (__builtin_expect(condition, true)) return;
  if (&ravel_check_failed != nullptr) ravel_check_failed(what, file, line);  // does not return while exploring
  std::fprintf(stderr, "%s:%u: ravel::check: %s\n", file, line, what);
  std::abort();
}

// What this execution came to. The last value of a name counts; reports list all names of an execution.
template <class Value>
void observe(const char* name, const Value& value) {
  if (&ravel_observe != nullptr) ravel_observe(name, detail::value_text(value).c_str());
}

// A place with a name: a scheduling point, which `ravel run --goal' can be given.
inline void mark(const char* name) {
  if (&ravel_mark != nullptr) ravel_mark(name);
}

// The thread gets somewhere although it looks like waiting in a loop: limits on steps and re-reads start over.
inline void progress() {
  if (&ravel_progress != nullptr) ravel_progress();
}

// The thread begins another piece of work, as the workers of a pool do: coverage tells its threads apart by what they
// run, and what was run before does not count from here on.
inline void job() {
  if (&ravel_job != nullptr) ravel_job();
}

// Marks a stretch that is meant to be atomic. It excludes nobody; detectors and reports know of it.
class atomic_region {
 public:
  atomic_region() {
    if (&ravel_region != nullptr) ravel_region(1);
  }
  ~atomic_region() {
    if (&ravel_region != nullptr) ravel_region(0);
  }
  atomic_region(const atomic_region&) = delete;
  atomic_region& operator=(const atomic_region&) = delete;
};

}  // namespace ravel

// check() with its own words as the message.
#define RAVEL_CHECK(condition) ::ravel::check(static_cast<bool>(condition), #condition)
