// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Ravel authors
#include "free/library.h"

#include <dlfcn.h>

#include "runtime/platform/raw.h"

namespace ravel::fr {

Library g_library;
bool g_library_known = false;

namespace {

void* opened(const char* name) {
  return dlopen(name, RTLD_LAZY | RTLD_NOLOAD);
}

void* look_up(void* library, const char* name, const char* version) {
  void* found = version != nullptr ? dlvsym(library, name, version) : nullptr;
  return found != nullptr ? found : dlsym(library, name);
}

}  // namespace

void look_up_library() {
  void* const library = opened("libc.so.6");
  if (library == nullptr) rt::fatal("the C library is not libc.so.6");
#define X(name, version) g_library.name = reinterpret_cast<decltype(g_library.name)>(look_up(library, #name, version));
  RAVEL_LIBRARY_FUNCTIONS(X)
#undef X
  g_library_known = true;
}

void* of_cxx_library(const char* symbol) {
  void* const library = opened("libstdc++.so.6");
  return library != nullptr ? dlsym(library, symbol) : nullptr;
}

void* of_openmp_library(const char* symbol) {
  void* const library = opened("libgomp.so.1");
  void* const found = library != nullptr ? dlsym(library, symbol) : nullptr;
  if (found == nullptr) rt::fatal("a function of OpenMP is not in libgomp.so.1");
  return found;
}

}  // namespace ravel::fr
