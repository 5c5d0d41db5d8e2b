// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Ravel authors
//
// Included before all else by `ravel c++`: both compilers leave calls of these functions as they are under
// -fsanitize=thread. Copies and fills in instrumented code then go through the runtime, which tells of the memory they
// touch. The names are changed by the assembler, so that calls which the compiler makes by itself are meant too.
#if !defined(RAVEL_BLOCK_CALLS) && !defined(__ASSEMBLER__)
#define RAVEL_BLOCK_CALLS
__asm__("memcpy = __tsan_memcpy\n\tmemmove = __tsan_memmove\n\tmemset = __tsan_memset");
#endif
