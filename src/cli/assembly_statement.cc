// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Ravel authors
#include "cli/assembly_statement.h"

#include <algorithm>
#include <array>
#include <cctype>

namespace ravel {
namespace {

bool is_blank(char c) {
  return c == ' ' || c == '\t' || c == '\r';
}

bool is_memory(std::string_view operand) {
  if (operand.empty() || operand[0] == '$' || operand[0] == '*') return false;
  return operand[0] != '%' || operand.find(':') != std::string_view::npos;
}

bool is_on_stack(std::string_view operand) {
  return operand.find("%rsp") != std::string_view::npos || operand.find("%rbp") != std::string_view::npos;
}

// %al 1, %ax 2, %eax 4, %rax 8; %r8b, %r8w, %r8d, %r8. 0: no general register.
unsigned register_bytes(std::string_view name) {
  if (name.size() < 3 || name[0] != '%') return 0;
  name.remove_prefix(1);
  const char last = name.back();
  if (name[0] == 'r') {
    if (std::isdigit(static_cast<unsigned char>(name[1])) == 0) return 8;
    if (last == 'b') return 1;
    if (last == 'w') return 2;
    return last == 'd' ? 4 : 8;
  }
  if (name[0] == 'e') return 4;
  if (last == 'l' || last == 'h') return 1;
  return name.size() == 2 ? 2 : 0;
}

unsigned suffix_bytes(char c) {
  switch (c) {
    case 'b':
      return 1;
    case 'w':
      return 2;
    case 'l':
      return 4;
    case 'q':
      return 8;
    default:
      return 0;
  }
}

constexpr std::array<std::string_view, 13> kLockable = {"add", "adc", "sub", "sbb", "and",  "or",     "xor",
                                                        "inc", "dec", "not", "neg", "xadd", "cmpxchg"};
constexpr std::array<std::string_view, 3> kBitwise = {"bts", "btr", "btc"};

// The name without its suffix; bytes by suffix, or by the register it goes with. 0: not known.
unsigned operation_bytes(const Instruction& instruction, std::string_view stem) {
  const std::string_view name = instruction.name;
  if (name.size() == stem.size() + 1) return suffix_bytes(name.back());
  if (name != stem) return 0;
  for (const std::string& operand : instruction.operands) {
    if (const unsigned bytes = register_bytes(operand); bytes != 0) return bytes;
  }
  return 0;
}

bool is_form_of(std::string_view name, std::string_view stem) {
  return name == stem ||
         (name.size() == stem.size() + 1 && name.substr(0, stem.size()) == stem && suffix_bytes(name.back()) != 0);
}

// "lock; addl $0, (%rsp)": the usual full barrier, on memory that nobody else looks at.
bool is_barrier_idiom(const Instruction& instruction) {
  return instruction.operands.size() == 2 && instruction.operands[0] == "$0" &&
         instruction.operands[1].find("%rsp") != std::string::npos;
}

AccessAnswer understood(AsmAccess& access) {
  const bool segment = access.operand.find(':') != std::string::npos;
  const bool known = access.bytes != 0 && !access.operand.empty() && !segment;
  return known ? AccessAnswer::kKnown : AccessAnswer::kNotUnderstood;
}

AccessAnswer locked_access(const Instruction& instruction, AsmAccess& access) {
  access.kind = AsmAccess::kUpdate;
  access.surely_atomic = true;
  for (const std::string& operand : instruction.operands) {
    if (is_memory(operand)) access.operand = operand;
  }
  if (instruction.name == "cmpxchg8b") access.bytes = 8;
  if (instruction.name == "cmpxchg16b") access.bytes = 16;
  for (const std::string_view stem : kLockable) {
    if (is_form_of(instruction.name, stem)) access.bytes = operation_bytes(instruction, stem);
  }
  for (const std::string_view stem : kBitwise) {
    if (!is_form_of(instruction.name, stem)) continue;
    // With a register for the number of the bit it may be another word.
    const bool fixed = !instruction.operands.empty() && instruction.operands[0][0] == '$';
    access.bytes = fixed ? operation_bytes(instruction, stem) : 0;
  }
  if (is_barrier_idiom(instruction)) {
    access.kind = AsmAccess::kFence;
    return AccessAnswer::kKnown;
  }
  return understood(access);
}

}  // namespace

std::string Statement::whole() const {
  std::string line;
  for (const std::string& label : labels) line += label + ":";
  return line + "\t" + text;
}

std::string_view trimmed(std::string_view text) {
  while (!text.empty() && is_blank(text.front())) text.remove_prefix(1);
  while (!text.empty() && is_blank(text.back())) text.remove_suffix(1);
  return text;
}

bool is_quoted(std::string_view word) {
  return word.size() >= 2 && word.front() == '"' && word.back() == '"';
}

std::vector<std::string> words_of(std::string_view line) {
  std::vector<std::string> words;
  std::string word;
  bool quoted = false;
  for (const char c : line) {
    if (c == '"') quoted = !quoted;
    if (!quoted && (is_blank(c) || c == ',')) {
      if (!word.empty()) words.push_back(std::move(word));
      word.clear();
    } else {
      word += c;
    }
  }
  if (!word.empty()) words.push_back(std::move(word));
  return words;
}

namespace {

// "1: lock" -> label "1"; true if one was there.
bool take_label(std::string_view& text, std::vector<std::string>& labels) {
  std::size_t end = 0;
  while (end < text.size() && (std::isalnum(static_cast<unsigned char>(text[end])) != 0 || text[end] == '_' ||
                               text[end] == '.' || text[end] == '$')) {
    ++end;
  }
  if (end == 0 || end == text.size() || text[end] != ':') return false;
  labels.emplace_back(text.substr(0, end));
  text = trimmed(text.substr(end + 1));
  return true;
}

bool is_harmless(std::string_view directive) {
  constexpr std::array<std::string_view, 17> kHarmless = {
      ".loc",    ".pushsection", ".popsection", ".section", ".previous", ".text",  ".byte", ".long", ".quad",
      ".balign", ".p2align",     ".align",      ".string",  ".asciz",    ".ascii", ".skip", ".type"};
  return std::find(kHarmless.begin(), kHarmless.end(), directive) != kHarmless.end();
}

bool add_statement(std::string_view text, std::vector<Statement>& to) {
  Statement statement;
  text = trimmed(text);
  while (take_label(text, statement.labels)) {
  }
  statement.text = text;
  bool plain = true;
  if (!text.empty() && text[0] == '.') plain = is_harmless(text.substr(0, text.find_first_of(" \t")));
  if (text.find('\\') != std::string_view::npos && text.find('"') == std::string_view::npos) plain = false;
  if (!text.empty() || !statement.labels.empty()) to.push_back(std::move(statement));
  return plain;
}

}  // namespace

bool split_statements(std::string_view line, std::vector<Statement>& to) {
  bool plain = true;
  bool quoted = false;
  std::size_t begin = 0;
  for (std::size_t i = 0; i < line.size(); ++i) {
    if (line[i] == '"') quoted = !quoted;
    if (quoted) continue;
    if (line[i] == '#') {
      line = line.substr(0, i);
      break;
    }
    if (line[i] == ';') {
      plain = add_statement(line.substr(begin, i - begin), to) && plain;
      begin = i + 1;
    }
  }
  return add_statement(line.substr(begin), to) && plain;
}

Instruction instruction_of(const Statement& statement) {
  constexpr std::array<std::string_view, 8> kPrefixes = {"rep",      "repz",     "repnz",  "repe",
                                                         "xacquire", "xrelease", "data16", "notrack"};
  Instruction instruction;
  std::string_view rest = statement.text;
  for (;;) {
    const std::string_view word = rest.substr(0, rest.find_first_of(" \t"));
    if (word == "lock") {
      instruction.locked = true;
    } else if (std::find(kPrefixes.begin(), kPrefixes.end(), word) == kPrefixes.end()) {
      break;
    }
    rest = trimmed(rest.substr(word.size()));
  }
  if (rest.empty() || rest[0] == '.') return instruction;
  const std::size_t end = std::min(rest.find_first_of(" \t"), rest.size());
  instruction.name = rest.substr(0, end);
  std::string_view operands = trimmed(rest.substr(end));
  int depth = 0;
  std::size_t begin = 0;
  for (std::size_t i = 0; i <= operands.size() && !operands.empty(); ++i) {
    if (i < operands.size()) depth += (operands[i] == '(') - (operands[i] == ')');
    if (i != operands.size() && (operands[i] != ',' || depth != 0)) continue;
    instruction.operands.emplace_back(trimmed(operands.substr(begin, i - begin)));
    begin = i + 1;
  }
  return instruction;
}

AccessAnswer access_of(const Instruction& instruction, bool locked, AsmAccess& access) {
  if (instruction.name == "mfence") {
    access.surely_atomic = true;
    return AccessAnswer::kKnown;
  }
  const bool exchange = is_form_of(instruction.name, "xchg");
  const bool move = is_form_of(instruction.name, "mov");
  if (instruction.operands.size() == 2 && (exchange || move)) {
    const bool from = is_memory(instruction.operands[0]);
    const bool to = is_memory(instruction.operands[1]);
    if (from == to) return AccessAnswer::kNone;
    access.operand = instruction.operands[from ? 0 : 1];
    access.bytes = operation_bytes(instruction, exchange ? "xchg" : "mov");
    access.surely_atomic = exchange;
    access.kind = exchange ? AsmAccess::kUpdate : from ? AsmAccess::kLoad : AsmAccess::kStore;
    if (move && (is_on_stack(access.operand) || understood(access) != AccessAnswer::kKnown)) return AccessAnswer::kNone;
    return understood(access);
  }
  return locked ? locked_access(instruction, access) : AccessAnswer::kNone;
}

}  // namespace ravel
