// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Ravel authors
#include "runtime/platform/real.h"

#include <dlfcn.h>

namespace ravel::rt {

namespace {
RealFunctions functions;
bool looked_up = false;

void* look_up(const char* name, const char* version) {
  void* found = version != nullptr ? dlvsym(RTLD_NEXT, name, version) : nullptr;
  return found != nullptr ? found : dlsym(RTLD_NEXT, name);
}
}  // namespace

const RealFunctions& real() {
  if (!looked_up) {
#define X(name, version) functions.name = reinterpret_cast<decltype(functions.name)>(look_up(#name, version));
    RAVEL_REAL_FUNCTIONS(X)
#undef X
    looked_up = true;
  }
  return functions;
}

void* library_function(const char* symbol) {
  return dlsym(RTLD_NEXT, symbol);
}

}  // namespace ravel::rt
