// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Ravel authors
//
// ravel_switch(void** save_sp, void* load_sp, uint64_t fs_base, int use_wrfsbase)
//
// Leaves the running virtual thread and enters another: callee-saved registers, SSE and x87 control words, stack and the thread
// pointer. Unwind information is exact at each instruction, so that a debugger can walk a parked thread
// from ravel_switch_resume.
#include <asm/unistd_64.h>

    .text
    .globl ravel_switch
    .hidden ravel_switch
    .type ravel_switch, @function
ravel_switch:
    .cfi_startproc
    pushq %rbp
    .cfi_adjust_cfa_offset 8
    .cfi_rel_offset rbp, 0
    pushq %rbx
    .cfi_adjust_cfa_offset 8
    .cfi_rel_offset rbx, 0
    pushq %r12
    .cfi_adjust_cfa_offset 8
    .cfi_rel_offset r12, 0
    pushq %r13
    .cfi_adjust_cfa_offset 8
    .cfi_rel_offset r13, 0
    pushq %r14
    .cfi_adjust_cfa_offset 8
    .cfi_rel_offset r14, 0
    pushq %r15
    .cfi_adjust_cfa_offset 8
    .cfi_rel_offset r15, 0
    subq $8, %rsp
    .cfi_adjust_cfa_offset 8
    stmxcsr (%rsp)
    fnstcw 4(%rsp)
    movq %rsp, (%rdi)
    movl (%rsp), %r8d
    movzwl 4(%rsp), %r9d
    movq %rsi, %rsp
    testl %ecx, %ecx
    jz 1f
    wrfsbase %rdx
    // The control words are the same, as a rule: to load them takes longer than to compare them.
    cmpl %r8d, (%rsp)
    jne ravel_switch_resume
    cmpw %r9w, 4(%rsp)
    je ravel_switch_entered
    jmp ravel_switch_resume
1:  // kernels or containers without FSGSBASE: arch_prctl(ARCH_SET_FS, fs_base)
    movl $0x1002, %edi
    movq %rdx, %rsi
    movl $__NR_arch_prctl, %eax
    syscall
    .globl ravel_switch_resume
    .hidden ravel_switch_resume
ravel_switch_resume:
    ldmxcsr (%rsp)
    fldcw 4(%rsp)
    .globl ravel_switch_entered
    .hidden ravel_switch_entered
ravel_switch_entered:           // every switch comes by here
    addq $8, %rsp
    .cfi_adjust_cfa_offset -8
    popq %r15
    .cfi_adjust_cfa_offset -8
    .cfi_restore r15
    popq %r14
    .cfi_adjust_cfa_offset -8
    .cfi_restore r14
    popq %r13
    .cfi_adjust_cfa_offset -8
    .cfi_restore r13
    popq %r12
    .cfi_adjust_cfa_offset -8
    .cfi_restore r12
    popq %rbx
    .cfi_adjust_cfa_offset -8
    .cfi_restore rbx
    popq %rbp
    .cfi_adjust_cfa_offset -8
    .cfi_restore rbp
    ret
    .cfi_endproc
    .size ravel_switch, . - ravel_switch

// First frame of every virtual thread: the end of its stack for unwinders and debuggers.
    .globl ravel_fiber_entry
    .hidden ravel_fiber_entry
    .type ravel_fiber_entry, @function
ravel_fiber_entry:
    .cfi_startproc
    .cfi_undefined rip
    .cfi_undefined rbp
    xorl %ebp, %ebp
    movq %r12, %rdi
    call *%r13
    ud2
    .cfi_endproc
    .size ravel_fiber_entry, . - ravel_fiber_entry

    .section .note.GNU-stack, "", @progbits
