// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Ravel authors
#include "cli/assembly.h"

#include <gtest/gtest.h>

#include "cli/assembly_statement.h"

namespace ravel {
namespace {

std::string block(const std::string& lines) {
  return "\t.file 1 \"lock.cpp\"\n\t.loc 1 12 3\n#APP\n# 12 \"lock.cpp\" 1\n" + lines +
         "\n# 0 \"\" 2\n#NO_APP\n\tret\n";
}

AccessAnswer look(const std::string& line, AsmAccess& access) {
  std::vector<Statement> statements;
  EXPECT_TRUE(split_statements(line, statements)) << line;
  bool locked = false;
  for (const Statement& statement : statements) {
    const Instruction instruction = instruction_of(statement);
    locked = locked || instruction.locked;
    if (!instruction.name.empty()) return access_of(instruction, locked, access);
  }
  return AccessAnswer::kNone;
}

TEST(Assembly, WhatIsAtomicIsFoundWithItsSizeAndItsMemory) {
  const struct {
    const char* line;
    AsmAccess::Kind kind;
    unsigned bytes;
    const char* operand;
  } rows[] = {
      {"lock cmpxchgl %ecx, (%rdi)", AsmAccess::kUpdate, 4, "(%rdi)"},
      {"lock; cmpxchg %rcx, 8(%rdi,%rax,4)", AsmAccess::kUpdate, 8, "8(%rdi,%rax,4)"},
      {"lock; xaddw %ax, counter(%rip)", AsmAccess::kUpdate, 2, "counter(%rip)"},
      {"lock cmpxchg16b (%rsi)", AsmAccess::kUpdate, 16, "(%rsi)"},
      {"lock; incb 3(%rdx)", AsmAccess::kUpdate, 1, "3(%rdx)"},
      {"lock orq $4, flags(%rip)", AsmAccess::kUpdate, 8, "flags(%rip)"},
      {"lock btsl $3, (%rdi)", AsmAccess::kUpdate, 4, "(%rdi)"},
      {"1: xacquire lock xchg %r8d, (%rdi)", AsmAccess::kUpdate, 4, "(%rdi)"},
      {"xchgb %al, (%rdi)", AsmAccess::kUpdate, 1, "(%rdi)"},
      {"movl (%rdi), %eax", AsmAccess::kLoad, 4, "(%rdi)"},
      {"mov %rax, 16(%rbx)", AsmAccess::kStore, 8, "16(%rbx)"},
      {"movl $0, word(%rip)", AsmAccess::kStore, 4, "word(%rip)"},
      {"mfence", AsmAccess::kFence, 0, ""},
      {"lock; addl $0, 0(%rsp)", AsmAccess::kFence, 0, nullptr},
  };
  for (const auto& row : rows) {
    AsmAccess access;
    ASSERT_EQ(look(row.line, access), AccessAnswer::kKnown) << row.line;
    EXPECT_EQ(access.kind, row.kind) << row.line;
    EXPECT_EQ(access.kind == AsmAccess::kFence ? 0 : access.bytes, row.bytes) << row.line;
    if (row.operand != nullptr) {
      EXPECT_EQ(access.operand, row.operand) << row.line;
    }
  }
}

TEST(Assembly, OtherInstructionsAreNone) {
  for (const char* line :
       {"xchgl %eax, %ebx", "movl %eax, %ebx", "movl $1, %eax", "movl 4(%rsp), %eax", "pause", "rep; nop",
        "movl %fs:0, %eax", "addl $1, (%rdi)", "call *8(%rax)", ".byte 1", "1:", "lock"}) {
    AsmAccess access;
    EXPECT_EQ(look(line, access), AccessAnswer::kNone) << line;
  }
}

TEST(Assembly, WhatIsNotUnderstoodIsSaidSo) {
  for (const char* line : {"lock incl %fs:16", "lock inc (%rdi)", "lock btsl %eax, (%rdi)", "lock frobl (%rdi)"}) {
    AsmAccess access;
    EXPECT_EQ(look(line, access), AccessAnswer::kNotUnderstood) << line;
  }
}

TEST(Assembly, CallsStandAroundTheInstructionAndItsPrefix) {
  const ControlledAssembly out = control_assembly(block("\tlock\n\taddl $1, 8(%rsp)\n.LVL1:\n\t.loc 1 13 3"));
  EXPECT_EQ(out.controlled, 1u);
  EXPECT_TRUE(out.left.empty());
  const std::size_t begin = out.text.find("ravel_asm_begin");
  const std::size_t lock = out.text.find("\tlock\n\taddl $1, 8(%rsp)\n");
  const std::size_t end = out.text.find("ravel_asm_end");
  ASSERT_NE(lock, std::string::npos) << out.text;
  EXPECT_LT(begin, lock);
  EXPECT_LT(lock, end);
  EXPECT_NE(out.text.find("leaq 136+8(%rsp), %rdi"), std::string::npos) << "the stack pointer is lower by then";
  EXPECT_NE(out.text.find(".LVL1:"), std::string::npos);
}

TEST(Assembly, ALabelStaysInFrontOfTheCalls) {
  const ControlledAssembly out = control_assembly(block("1: lock; decl (%rdi); jns 2f; jmp 1b; 2:"));
  EXPECT_EQ(out.controlled, 1u);
  EXPECT_LT(out.text.find("1:"), out.text.find("ravel_asm_begin")) << out.text;
  EXPECT_LT(out.text.find("ravel_asm_end"), out.text.find("jns 2f")) << out.text;
}

TEST(Assembly, FramesAreAdjustedWhereTheStackPointerFindsThem) {
  const std::string by_stack = "\t.cfi_startproc\n" + block("\txchgl %eax, (%rdi)") + "\t.cfi_endproc\n";
  EXPECT_NE(control_assembly(by_stack).text.find(".cfi_adjust_cfa_offset"), std::string::npos);
  const std::string by_base = "\t.cfi_startproc\n\t.cfi_def_cfa_register 6\n" + block("\txchgl %eax, (%rdi)");
  EXPECT_EQ(control_assembly(by_base).text.find(".cfi_adjust_cfa_offset"), std::string::npos);
  EXPECT_EQ(control_assembly(block("\txchgl %eax, (%rdi)")).text.find(".cfi_"), std::string::npos)
      << "no frames at all";
}

TEST(Assembly, WhatIsLeftAloneIsListedWithItsPlace) {
  for (const char* lines : {"\tlock; incl %fs:16", "\t.intel_syntax noprefix\n\tlock inc dword ptr [rdi]",
                            "\t.macro twice\n\tlock incl (%rdi)\n\t.endm"}) {
    const std::string text = block(lines);
    const ControlledAssembly out = control_assembly(text);
    EXPECT_EQ(out.controlled, 0u) << lines;
    ASSERT_EQ(out.left.size(), 1u) << lines;
    EXPECT_EQ(out.left[0].file, "lock.cpp");
    EXPECT_EQ(out.left[0].line, 12u);
    EXPECT_EQ(out.text.substr(0, text.size()), text);
    EXPECT_NE(out.text.find(".ravel.uncontrolled"), std::string::npos);
  }
}

TEST(Assembly, TextWithoutAtomicInstructionsStaysAsItIs) {
  const std::string text = block("\tpause # a; comment\n\tcpuid") + "\tlock addl $1, (%rdi)\n\tmovl (%rdi), %eax\n";
  EXPECT_EQ(control_assembly(text).text, text) << "outside of asm statements nothing is looked at";
}

}  // namespace
}  // namespace ravel
