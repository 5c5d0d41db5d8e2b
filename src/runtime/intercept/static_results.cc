// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Ravel authors
//
// Functions that answer in memory of the C library's own, the same for all threads. The call is a write of that memory:
// two threads that call them, or one that reads the other's answer, have a race.
#include <time.h>

#include "runtime/access/access_api.h"
#include "runtime/intercept/export.h"

using namespace ravel::rt;

namespace {

// Where a function answers, known from its first call: before that nobody has the address, so that the answer may be
// written once unseen.
template <class Result, class Call>
Result* answer(Result*& place, std::uint32_t bytes, const void* caller, Call call) {
  if (g.in_control && recording() && !is_unwinder(caller)) {
    if (place == nullptr) place = call();
    if (place != nullptr) {
      plain_access(reinterpret_cast<std::uintptr_t>(place), bytes, true, reinterpret_cast<std::uintptr_t>(caller));
    }
  }
  Result* const result = call();
  if (result != nullptr) place = result;
  return result;
}

constexpr std::uint32_t kTextBytes = 26;  // of asctime

tm* broken_down;  // one for gmtime and localtime
char* text;       // one for asctime and ctime

}  // namespace

RAVEL_EXPORT tm* gmtime(const time_t* time) noexcept {
  return answer(broken_down, sizeof(tm), __builtin_return_address(0), [&] { return real().gmtime(time); });
}

RAVEL_EXPORT tm* localtime(const time_t* time) noexcept {
  return answer(broken_down, sizeof(tm), __builtin_return_address(0), [&] { return real().localtime(time); });
}

RAVEL_EXPORT char* asctime(const tm* time) noexcept {
  return answer(text, kTextBytes, __builtin_return_address(0), [&] { return real().asctime(time); });
}

RAVEL_EXPORT char* ctime(const time_t* time) noexcept {
  return answer(text, kTextBytes, __builtin_return_address(0), [&] { return real().ctime(time); });
}
