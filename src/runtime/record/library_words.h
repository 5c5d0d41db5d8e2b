// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Ravel authors
//
// The words that stand for state of the C library and the kernel in a trace: accesses to them are those of
// model/library_objects.h.
#pragma once

#include "model/library_objects.h"

namespace ravel::rt {

extern LibraryWords g_library_words;

}  // namespace ravel::rt
