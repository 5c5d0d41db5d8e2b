// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Ravel authors
//
// Inline assembly in what a compiler hands to the assembler. -fsanitize=thread knows the atomics of the language only;
// spin locks and whole libraries have theirs in asm statements, between #APP and #NO_APP. Each atomic instruction there
// gets a call before and after it (runtime/callouts/asm_calls.S), so that it is a scheduling point and an event. The
// calls keep all registers and flags and leave the red zone alone. Pure: text in, text out.
//
// What is atomic: instructions with `lock', `xchg' with memory, `mfence', and plain moves from and to memory other than
// the stack, which on x86 are acquiring loads and releasing stores. Where the text is not understood (other syntax,
// macros, segments, operands of unknown size) nothing is changed, and atomic instructions there are listed.
#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace ravel {

struct UncontrolledInstruction {
  std::string file;
  unsigned line = 0;
  std::string text;
};

struct ControlledAssembly {
  std::string text;
  unsigned controlled = 0;  // instructions that got their calls
  std::vector<UncontrolledInstruction> left;
};

ControlledAssembly control_assembly(std::string_view text);

}  // namespace ravel
