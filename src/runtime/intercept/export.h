// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Ravel authors
//
// What every interceptor begins with. Each exported function passes through to the C library unless this process runs a
// program under a plan; virtual objects are in runtime/sync.
#pragma once

#include "runtime/platform/real.h"
#include "runtime/state/locations.h"
#include "runtime/state/state.h"

#define RAVEL_EXPORT extern "C" __attribute__((visibility("default")))

// RAVEL_PASS_THROUGH(name, arguments...): return what the C library's function returns when we are not in control of
// this call.
#define RAVEL_PASS_THROUGH(name, ...)                                                      \
  if (!::ravel::rt::g.in_control || ::ravel::rt::is_unwinder(__builtin_return_address(0))) \
  return ::ravel::rt::real().name(__VA_ARGS__)
