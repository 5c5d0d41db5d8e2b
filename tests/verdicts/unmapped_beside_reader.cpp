// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Ravel authors
//
// A page that main unmaps while a thread reads it: the read is a fault if it comes second. Which accesses an unmapping
// conflicts with is not known, so no search that meets one is complete.
//
// expect: kind=signal
// search: dpor
// outcomes: read=1 | [signal]
// incomplete: dpor
#include <ravel/ravel.h>
#include <sys/mman.h>

#include <thread>

int main() {
  constexpr std::size_t kBytes = 4096;
  auto* const page =
      static_cast<int*>(mmap(nullptr, kBytes, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0));
  *page = 1;
  std::thread reader([page] { ravel::observe("read", *page); });
  munmap(page, kBytes);
  reader.join();
}
