// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Ravel authors
//
// Thread-local storage of carriers that are used again: put back to the modules' initial images, except for the C
// library, the loader and this runtime, whose thread data must live on.
#pragma once

#include <cstdint>

namespace ravel::rt {

// Notes where each module's image lies relative to the thread pointer; once, on the main thread.
void list_tls_images();
// After dlopen and dlclose.
void list_loaded_tls_images();
void reset_tls(std::uint64_t thread_pointer);
// Runs the destructors of thread_local objects of the running thread.
void run_tls_destructors();
// Bytes of static TLS below the thread pointer.
std::uint64_t tls_bytes();

}  // namespace ravel::rt
