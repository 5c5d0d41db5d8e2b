// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Ravel authors
//
// Statements of x86 assembler text in AT&T syntax, as far as atomic instructions are to be found in them.
#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace ravel {

struct Statement {
  std::vector<std::string> labels;
  std::string text;  // without labels and comment

  [[nodiscard]] std::string whole() const;
};

// Appends the statements of a line. False: it has something that may change what others mean (a macro, a condition,
// another syntax).
bool split_statements(std::string_view line, std::vector<Statement>& to);

struct Instruction {
  std::string name;  // empty: a directive, or prefixes alone
  std::vector<std::string> operands;
  bool locked = false;
};
Instruction instruction_of(const Statement& statement);

struct AsmAccess {
  enum Kind : unsigned { kUpdate, kLoad, kStore, kFence };  // as runtime/callouts/asm_calls.cc numbers them
  Kind kind = kFence;
  unsigned bytes = 0;
  std::string operand;         // the memory
  bool surely_atomic = false;  // no ordinary move
};
enum class AccessAnswer { kNone, kKnown, kNotUnderstood };
AccessAnswer access_of(const Instruction& instruction, bool locked, AsmAccess& access);

std::string_view trimmed(std::string_view text);
// By blanks and commas, quotes kept.
std::vector<std::string> words_of(std::string_view line);
bool is_quoted(std::string_view word);

}  // namespace ravel
