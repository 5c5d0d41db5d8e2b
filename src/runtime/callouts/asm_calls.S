// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Ravel authors
//
// ravel_asm_begin: before an atomic instruction in inline assembly. rdi: the address; on the stack above the return
// address: kind and size. ravel_asm_end: after it. Everything but rdi is as before: general registers, flags, and x87, SSE,
// AVX and AVX-512 state, since the compiler does not know of the call and another thread may run in it.

    .set kStateBytes, 2752      // x87, SSE, AVX, AVX-512, in the standard form
    .set kComponents, 0xe7

// Which way vectors are saved: 0 not known, 1 fxsave, 2 xsave.
    .bss
    .local save_way
    .comm save_way, 4, 4
    .text

    .macro push_register name
    pushq %\name
    .cfi_adjust_cfa_offset 8
    .endm
    .macro pop_register name
    popq %\name
    .cfi_adjust_cfa_offset -8
    .endm

// Calls `target' with rdi, rsi, rdx as they are. The stack is below rbp, which has been saved.
    .macro call_with_state_saved target
    movq %rsp, %rbp
    .cfi_def_cfa_register rbp
    subq $kStateBytes, %rsp
    andq $-64, %rsp
    cmpl $0, save_way(%rip)
    jne 1f
    movq %rdi, %r8
    movq %rdx, %r9
    movl $1, %eax
    cpuid
    movl $1, %eax
    btl $27, %ecx               // OSXSAVE
    adcl $0, %eax
    movl %eax, save_way(%rip)
    movq %r8, %rdi
    movq %r9, %rdx
1:  cmpl $2, save_way(%rip)
    je 2f
    fxsave64 (%rsp)
    call \target
    fxrstor64 (%rsp)
    jmp 3f
2:  movq %rdx, %r9
    xorl %eax, %eax
    movq %rax, 512(%rsp)
    movq %rax, 520(%rsp)
    movq %rax, 528(%rsp)
    movq %rax, 536(%rsp)
    movq %rax, 544(%rsp)
    movq %rax, 552(%rsp)
    movq %rax, 560(%rsp)
    movq %rax, 568(%rsp)
    xorl %edx, %edx
    movl $kComponents, %eax
    xsave64 (%rsp)
    movq %r9, %rdx
    call \target
    xorl %edx, %edx
    movl $kComponents, %eax
    xrstor64 (%rsp)
3:  movq %rbp, %rsp
    .cfi_def_cfa_register rsp
    .endm

    .macro save_registers
    push_register rax
    push_register rbx           // cpuid
    push_register rcx
    push_register rdx
    push_register rsi
    push_register rdi
    push_register r8
    push_register r9
    push_register r10
    push_register r11
    push_register rbp
    .cfi_rel_offset rbp, 0
    .endm
    .macro restore_registers
    pop_register rbp
    .cfi_restore rbp
    pop_register r11
    pop_register r10
    pop_register r9
    pop_register r8
    pop_register rdi
    pop_register rsi
    pop_register rdx
    pop_register rcx
    pop_register rbx
    pop_register rax
    .endm

    .globl ravel_asm_begin
    .type ravel_asm_begin, @function
ravel_asm_begin:
    .cfi_startproc
    pushfq
    .cfi_adjust_cfa_offset 8
    pushq %rax
    .cfi_adjust_cfa_offset 8
    movzbl _ZN5ravel2rt7g_watchE(%rip), %eax
    testl %eax, %eax
    popq %rax
    .cfi_adjust_cfa_offset -8
    jz 9f
    cld
    save_registers
    movq 96(%rsp), %rdx         // eleven registers and the flags: the return address
    movq 104(%rsp), %rsi        // kind and size
    call_with_state_saved ravel_asm_before
    restore_registers
9:  popfq
    .cfi_adjust_cfa_offset -8
    ret
    .cfi_endproc
    .size ravel_asm_begin, .-ravel_asm_begin

    .globl ravel_asm_end
    .type ravel_asm_end, @function
ravel_asm_end:
    .cfi_startproc
    pushfq
    .cfi_adjust_cfa_offset 8
    pushq %rax
    .cfi_adjust_cfa_offset 8
    movzbl _ZN5ravel2rt7g_watchE(%rip), %eax
    testl %eax, %eax
    popq %rax
    .cfi_adjust_cfa_offset -8
    jz 9f
    cld
    save_registers
    call_with_state_saved ravel_asm_after
    restore_registers
9:  popfq
    .cfi_adjust_cfa_offset -8
    ret
    .cfi_endproc
    .size ravel_asm_end, .-ravel_asm_end

    .section .note.GNU-stack, "", @progbits
