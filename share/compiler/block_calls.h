// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Ravel authors
//
// Included before all else by `ravel c++`: both compilers leave calls of these functions as they are under
// -fsanitize=thread. In instrumented code they go through the runtime, which announces the memory they touch. The names
// are changed by the assembler, so that calls which the compiler makes by itself are included; a function of that name
// which the file defines itself stays the one that its calls reach.
#if !defined(RAVEL_BLOCK_CALLS) && !defined(__ASSEMBLER__)
#define RAVEL_BLOCK_CALLS
__asm__(
    "memcpy = __tsan_memcpy\n\tmemmove = __tsan_memmove\n\tmemset = __tsan_memset\n\t"
    "strlen = ravel_strlen\n\tstrnlen = ravel_strnlen\n\tmemcmp = ravel_memcmp\n\t"
    "strcmp = ravel_strcmp\n\tstrncmp = ravel_strncmp\n\tmemchr = ravel_memchr\n\t"
    "strchr = ravel_strchr\n\tstrrchr = ravel_strrchr\n\tstrstr = ravel_strstr\n\t"
    "strdup = ravel_strdup\n\tstrcpy = ravel_strcpy\n\tstpcpy = ravel_stpcpy\n\t"
    "strncpy = ravel_strncpy\n\tstrcat = ravel_strcat\n\tstrncat = ravel_strncat\n\t"
    "__memcpy_chk = ravel___memcpy_chk\n\t__memmove_chk = ravel___memmove_chk\n\t__memset_chk = ravel___memset_chk\n\t"
    "__strcpy_chk = ravel___strcpy_chk\n\t__stpcpy_chk = ravel___stpcpy_chk\n\t__strncpy_chk = ravel___strncpy_chk\n\t"
    "__strcat_chk = ravel___strcat_chk\n\t__strncat_chk = ravel___strncat_chk");
#endif
