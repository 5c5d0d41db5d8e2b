// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Ravel authors
//
// Included before all else by `ravel c++` with clang, whose sanitizer leaves calls of these functions as they are: copies and fills
// in instrumented code then go through the runtime, which tells of the memory they touch. The names are changed by the assembler, so
// that calls which the compiler makes by itself are meant too.
#if !defined(RAVEL_CLANG_CALLS) && !defined(__ASSEMBLER__)
#define RAVEL_CLANG_CALLS
__asm__("memcpy = __tsan_memcpy\n\tmemmove = __tsan_memmove\n\tmemset = __tsan_memset");
#endif
