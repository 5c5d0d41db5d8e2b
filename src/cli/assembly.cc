// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Ravel authors
#include "cli/assembly.h"

#include <fmt/format.h>

#include <algorithm>
#include <cctype>
#include <map>

#include "cli/assembly_statement.h"

namespace ravel {
namespace {

// Bytes between the stack pointer of the program and ours where the address is taken: red zone, saved rdi.
constexpr int kBelow = 128 + 8;

bool uses_stack_pointer(std::string_view operand) {
  return operand.find("%rsp") != std::string_view::npos;
}

// The same place, named where the stack pointer is lower.
std::string from_below(std::string_view operand) {
  return uses_stack_pointer(operand) ? fmt::format("{}+{}", kBelow, operand) : std::string(operand);
}

class Rewriter {
 public:
  explicit Rewriter(std::string_view text) : text_(text) {}

  ControlledAssembly run() {
    std::vector<std::string_view> block;
    bool inside = false;
    while (!text_.empty()) {
      const std::string_view line = take_line();
      const std::string_view word = trimmed(line);
      if (word == "#APP") {
        inside = true;
        block.clear();
        put(line);
      } else if (word == "#NO_APP") {
        inside = false;
        put_block(block);
        for (const std::string_view one : block) note_directive(trimmed(one));
        put(line);
      } else if (inside) {
        block.push_back(line);
      } else {
        note_directive(word);
        put(line);
      }
    }
    if (inside) put_block(block);
    put_list();
    return std::move(out_);
  }

 private:
  std::string_view take_line() {
    const std::size_t end = std::min(text_.find('\n'), text_.size());
    const std::string_view line = text_.substr(0, end);
    text_.remove_prefix(std::min(end + 1, text_.size()));
    return line;
  }
  void put(std::string_view line) {
    out_.text += line;
    out_.text += '\n';
  }

  // .file N ["dir"] "name", .loc N LINE ..., and by what register a debugger finds the frame.
  void note_directive(std::string_view line) {
    const std::vector<std::string> words = words_of(line);
    if (words.empty()) return;
    const std::string& name = words[0];
    if (name == ".file" && words.size() >= 3) files_[words[1]] = words[2 + (words.size() > 3 && is_quoted(words[3]))];
    if (name == ".loc" && words.size() >= 3) {
      file_ = words[1];
      line_ = static_cast<unsigned>(std::strtoul(words[2].c_str(), nullptr, 10));
    }
    if (name == ".intel_syntax") intel_ = true;
    if (name == ".att_syntax") intel_ = false;
    if (name == ".cfi_startproc") frames_ = {true};
    if (name == ".cfi_endproc") frames_.clear();
    if (frames_.empty()) return;
    if (name == ".cfi_def_cfa_register" || name == ".cfi_def_cfa") {
      frames_.back() = words.size() > 1 && (words[1].rfind("7", 0) == 0 || words[1].find("rsp") != std::string::npos);
    }
    if (name == ".cfi_remember_state") frames_.push_back(frames_.back());
    if (name == ".cfi_restore_state" && frames_.size() > 1) frames_.pop_back();
  }

  void put_block(const std::vector<std::string_view>& lines) {
    std::vector<Statement> statements;
    bool plain = !intel_;
    for (const std::string_view line : lines) {
      if (!split_statements(line, statements)) plain = false;
    }
    std::vector<Found> found = find(statements);
    if (found.empty()) {
      for (const std::string_view line : lines) put(line);
      return;
    }
    plain = plain && std::all_of(found.begin(), found.end(), [](const Found& f) { return f.understood; });
    if (!plain) {
      for (const Found& f : found) {
        if (f.access.surely_atomic) out_.left.push_back({file_name(), line_, statements[f.last].text});
      }
      for (const std::string_view line : lines) put(line);
      return;
    }
    std::size_t next = 0;
    for (std::size_t i = 0; i < statements.size(); ++i) {
      const Found* here = next < found.size() ? &found[next] : nullptr;
      if (here != nullptr && here->first == i) {
        for (const std::string& label : statements[i].labels) put(label + ":");
        put_before(here->access);
        put("\t" + statements[i].text);
      } else {
        put(statements[i].whole());
      }
      if (here == nullptr || here->last != i) continue;
      if (here->access.kind != AsmAccess::kFence) put_after();
      ++out_.controlled;
      ++next;
    }
  }

  // Statements first..last are one instruction: a prefix may stand alone.
  struct Found {
    std::size_t first;
    std::size_t last;
    AsmAccess access;
    bool understood;
  };
  static std::vector<Found> find(const std::vector<Statement>& statements) {
    std::vector<Found> found;
    std::size_t first = 0;
    bool locked = false;
    for (std::size_t i = 0; i < statements.size(); ++i) {
      if (!locked) first = i;
      const Instruction instruction = instruction_of(statements[i]);
      locked = locked || instruction.locked;
      if (instruction.name.empty()) {
        if (!instruction.locked) locked = false;
        continue;
      }
      AsmAccess access;
      const AccessAnswer answer = access_of(instruction, locked, access);
      // A label between the prefix and the instruction: somebody jumps in between.
      const bool whole = first == i || statements[i].labels.empty();
      if (answer != AccessAnswer::kNone) found.push_back({first, i, access, answer == AccessAnswer::kKnown && whole});
      locked = false;
    }
    return found;
  }

  void adjust_frame(int bytes) {
    if (!frames_.empty() && frames_.back()) put(fmt::format("\t.cfi_adjust_cfa_offset {}", bytes));
  }
  void put_before(const AsmAccess& access) {
    put("\tleaq -128(%rsp), %rsp");
    put("\tpushq %rdi");
    adjust_frame(kBelow);
    if (access.kind != AsmAccess::kFence) put(fmt::format("\tleaq {}, %rdi", from_below(access.operand)));
    put(fmt::format("\tpushq ${}", access.kind * 256 + access.bytes));
    adjust_frame(8);
    put("\tcall *ravel_asm_begin@GOTPCREL(%rip)");
    put("\tleaq 8(%rsp), %rsp");
    adjust_frame(-8);
    put("\tpopq %rdi");
    put("\tleaq 128(%rsp), %rsp");
    adjust_frame(-kBelow);
  }
  void put_after() {
    put("\tleaq -128(%rsp), %rsp");
    adjust_frame(128);
    put("\tcall *ravel_asm_end@GOTPCREL(%rip)");
    put("\tleaq 128(%rsp), %rsp");
    adjust_frame(-128);
  }

  [[nodiscard]] std::string file_name() const {
    const auto found = files_.find(file_);
    if (found == files_.end()) return "?";
    const std::string& name = found->second;
    return is_quoted(name) ? name.substr(1, name.size() - 2) : name;
  }

  // For whoever runs the program: a section that no loader maps.
  void put_list() {
    if (out_.left.empty()) return;
    put("\t.section .ravel.uncontrolled,\"\",@progbits");
    for (const UncontrolledInstruction& one : out_.left) {
      std::string text;
      for (const char c : fmt::format("{}:{}: {}", one.file, one.line, one.text)) {
        if (c == '"' || c == '\\') text += '\\';
        if (std::isprint(static_cast<unsigned char>(c)) != 0) text += c;
      }
      put(fmt::format("\t.string \"{}\"", text));
    }
  }

  std::string_view text_;
  ControlledAssembly out_;
  std::map<std::string, std::string> files_;
  std::string file_;
  unsigned line_ = 0;
  bool intel_ = false;
  std::vector<bool> frames_;  // of the function and its remembered states: the frame is found by the stack pointer
};

}  // namespace

ControlledAssembly control_assembly(std::string_view text) {
  return Rewriter(text).run();
}

}  // namespace ravel
