// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Ravel authors
//
// The functions of library_call_list.h, of whatever parameters: each asks ravel_library_call with its number where the
// library's function is, and goes there with all arguments, the count of vector registers and the return address as they were.
#include "runtime/intercept/library_call_list.h"

    .text
    .hidden ravel_library_call
    .type enter_library, @function
enter_library:                  // r11: the number
    .cfi_startproc
    pushq %rbp
    .cfi_def_cfa_offset 16
    .cfi_offset rbp, -16
    movq %rsp, %rbp
    .cfi_def_cfa_register rbp
    pushq %rax
    pushq %r9
    pushq %r8
    pushq %rcx
    pushq %rdx
    pushq %rsi
    pushq %rdi
    subq $136, %rsp
    movups %xmm0, (%rsp)
    movups %xmm1, 16(%rsp)
    movups %xmm2, 32(%rsp)
    movups %xmm3, 48(%rsp)
    movups %xmm4, 64(%rsp)
    movups %xmm5, 80(%rsp)
    movups %xmm6, 96(%rsp)
    movups %xmm7, 112(%rsp)
    movl %r11d, %edi
    leaq 136(%rsp), %rsi
    movq %rbp, %rdx
    call ravel_library_call
    movq %rax, %r11
    movups (%rsp), %xmm0
    movups 16(%rsp), %xmm1
    movups 32(%rsp), %xmm2
    movups 48(%rsp), %xmm3
    movups 64(%rsp), %xmm4
    movups 80(%rsp), %xmm5
    movups 96(%rsp), %xmm6
    movups 112(%rsp), %xmm7
    addq $136, %rsp
    popq %rdi
    popq %rsi
    popq %rdx
    popq %rcx
    popq %r8
    popq %r9
    popq %rax
    popq %rbp
    .cfi_def_cfa rsp, 8
    jmp *%r11
    .cfi_endproc
    .size enter_library, . - enter_library

    .set next_number, 0
#define X(name, effect, state, stream) \
    .globl name; .type name, @function; name: movl $next_number, %r11d; jmp enter_library; .size name, . - name; \
    .set next_number, next_number + 1;
RAVEL_LIBRARY_CALLS(X)
#undef X

    .section .note.GNU-stack, "", @progbits
