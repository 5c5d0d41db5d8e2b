// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Ravel authors
//
// Exception objects that several threads share (std::exception_ptr, futures) are counted inside the C++ library, where
// no call-out reports it. Each drop of a reference is reported here as what it is: an acquire-release on the count.
// Without it, the thread that frees the object would race with the last reader.
#include <dlfcn.h>

#include "runtime/access/access_api.h"
#include "runtime/intercept/export.h"

using namespace ravel::rt;

namespace {

// The count stands first in the header before the object, out of reach of the program's own accesses.
constexpr std::uintptr_t kHeaderBytes = 128;

void drop_reference(const void* object, std::uintptr_t pc) {
  if (object == nullptr || !g.in_control || !recording()) return;
  const std::uintptr_t count = reinterpret_cast<std::uintptr_t>(object) - kHeaderBytes;
  annotate_acquire(count, pc);
  annotate_release(count, pc);
}

// A std::exception_ptr as the calling convention sees it: a class that is passed and returned by address.
struct ExceptionPointer {
  void* object;
};

#define RAVEL_RELEASE_SYMBOL "_ZNSt15__exception_ptr13exception_ptr10_M_releaseEv"

struct Library {
  void (*release)(ExceptionPointer*);
  void (*current_exception)(ExceptionPointer* result);
};

// Not in RealFunctions: these have no name in C.
const Library& library() {
  static Library found = {};
  if (found.release == nullptr) {
    found.release = reinterpret_cast<decltype(found.release)>(dlsym(RTLD_NEXT, RAVEL_RELEASE_SYMBOL));
    found.current_exception =
        reinterpret_cast<decltype(found.current_exception)>(dlsym(RTLD_NEXT, "_ZSt17current_exceptionv"));
  }
  return found;
}

}  // namespace

RAVEL_EXPORT void ravel_release_exception(ExceptionPointer* self) noexcept __asm__(RAVEL_RELEASE_SYMBOL);
RAVEL_EXPORT void ravel_release_exception(ExceptionPointer* self) noexcept {
  drop_reference(self->object, reinterpret_cast<std::uintptr_t>(__builtin_return_address(0)));
  library().release(self);
}

RAVEL_EXPORT void __cxa_end_catch() {
  if (g.in_control && recording()) {
    ExceptionPointer current;
    library().current_exception(&current);
    if (current.object != nullptr) {
      drop_reference(current.object, reinterpret_cast<std::uintptr_t>(__builtin_return_address(0)));
      library().release(&current);
    }
  }
  real().__cxa_end_catch();
}
