// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Ravel authors
//
// A library is loaded and stays.
//
// isolation: any
#include <dlfcn.h>

#include "left_behind.h"

int main() {
  assert(dlopen("libBrokenLocale.so.1", RTLD_NOW | RTLD_NOLOAD) == nullptr);
  in_two_threads([](int) {});
  void* library = dlopen("libBrokenLocale.so.1", RTLD_NOW);
  assert(library != nullptr);
}
