# SPDX-License-Identifier: Apache-2.0
# SPDX-FileCopyrightText: The Ravel authors
#
# The compiler's options of an instrumented build, for ravel_instrument() and ravel.pc. `ravel c++` has the same ones
# (src/cli/compiler_steps.cc).
set(RAVEL_FLAGS_COMMON -g -fsanitize=thread -fno-plt -fno-lto)
# g++ would expand copies and fills in place, after the call-outs have been put in.
set(RAVEL_FLAGS_GNU -Wno-tsan --param=tsan-distinguish-volatile=1 -fno-builtin-memcpy -fno-builtin-memmove -fno-builtin-memset -fno-builtin-strcpy
                    -fno-builtin-stpcpy -fno-builtin-strncpy -fno-builtin-strcat -fno-builtin-strncat
                    -mmemcpy-strategy=libcall:-1:noalign -mmemset-strategy=libcall:-1:noalign --param=builtin-string-cmp-inline-length=0)
# With -B FOLDER the assembler is ours; clang has one of its own.
set(RAVEL_FLAGS_CLANG -mllvm -tsan-instrument-read-before-write=1 -mllvm -tsan-distinguish-volatile=1 -fno-integrated-as)
