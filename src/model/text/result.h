// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Ravel authors
//
// Errors of the tool as values. An Error is one line for the user: what went wrong, where, what to do about it.
// Library code returns it; only src/cli prints it; exit_code_of() says how the tool then ends.
#pragma once

#include <string>
#include <tl/expected.hpp>
#include <utility>

#include "model/exit_code.h"

namespace ravel {

enum class ErrorKind {
  kUsage,       // the user's mistake: wrong option, missing or broken file
  kCannotTest,  // nothing to test, or the plan does not fit the program
  kInternal,    // ours, or the machine's
};

struct Error {
  ErrorKind kind = ErrorKind::kUsage;
  std::string what;
  std::string where;  // may be empty
  std::string hint;   // what to do; may be empty

  [[nodiscard]] std::string line() const {
    std::string text = what;
    if (!where.empty()) text += ": " + where;
    if (!hint.empty()) text += "; " + hint;
    return text;
  }
};

template <class T>
using Result = tl::expected<T, Error>;

inline tl::unexpected<Error> usage_error(std::string what, std::string where = {}, std::string hint = {}) {
  return tl::make_unexpected(Error{ErrorKind::kUsage, std::move(what), std::move(where), std::move(hint)});
}
inline tl::unexpected<Error> cannot_test(std::string what, std::string where = {}, std::string hint = {}) {
  return tl::make_unexpected(Error{ErrorKind::kCannotTest, std::move(what), std::move(where), std::move(hint)});
}
inline tl::unexpected<Error> internal_error(std::string what, std::string where = {}, std::string hint = {}) {
  return tl::make_unexpected(Error{ErrorKind::kInternal, std::move(what), std::move(where), std::move(hint)});
}

inline ExitCode exit_code_of(const Error& error) {
  switch (error.kind) {
    case ErrorKind::kUsage:
      return kExitUsage;
    case ErrorKind::kCannotTest:
      return kExitCannotTest;
    case ErrorKind::kInternal:
      break;
  }
  return kExitInternal;
}

}  // namespace ravel
