// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Ravel authors
//
// A use of freed memory, or of memory beyond a block, in words: where the block came from, who freed it, who used it,
// each with the user's call stack.
#pragma once

#include <string>
#include <vector>

#include "report/names.h"

namespace ravel {

struct HeapReport {
  std::vector<std::string> lines;
  std::vector<ThreadIndex> threads;
};

// Of an execution whose outcome is about the heap.
HeapReport explain_heap(Names& names);

}  // namespace ravel
