// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Ravel authors
//
// What several jobs have in common, for tests that have no driver to make it.
#pragma once

#include <sys/mman.h>

#include <cstdint>
#include <cstdlib>

#include "wire/shared_tree.h"

namespace ravel::testing {

// Zeroed, costs what is touched, the same for all processes forked behind it.
class Tree {
 public:
  Tree() {
    void* room = mmap(nullptr, kTreeBytes, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
    if (room == MAP_FAILED) std::abort();
    tree_ = static_cast<SharedTree*>(room);
    tree_->header.left.store(~std::uint64_t{0});
  }
  ~Tree() { munmap(static_cast<void*>(tree_), kTreeBytes); }
  Tree(const Tree&) = delete;
  Tree& operator=(const Tree&) = delete;
  SharedTree* get() { return tree_; }

 private:
  SharedTree* tree_;
};

}  // namespace ravel::testing
