// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Ravel authors
#include "symbols/disassembly.h"

#include <llvm-c/Disassembler.h>
#include <llvm-c/Target.h>

#include <algorithm>
#include <memory>

#include "symbols/code_symbols.h"

namespace ravel {
namespace {

struct Dispose {
  void operator()(void* context) const { LLVMDisasmDispose(context); }
};

std::unique_ptr<void, Dispose> make_disassembler() {
  LLVMInitializeX86TargetInfo();
  LLVMInitializeX86TargetMC();
  LLVMInitializeX86Disassembler();
  return std::unique_ptr<void, Dispose>(LLVMCreateDisasm("x86_64-linux-gnu", nullptr, 0, nullptr, nullptr));
}

}  // namespace

std::string instruction_at(const std::string& path, std::uint64_t address) {
  const CodeSymbols symbols(path);
  const CodeSymbol* const function = symbols.at(address);
  const auto disassembler = make_disassembler();
  if (function == nullptr || disassembler == nullptr) return {};
  std::string bytes = symbols.bytes_of(*function);
  auto* const code = reinterpret_cast<std::uint8_t*>(bytes.data());
  char text[128];
  for (std::uint64_t at = 0; at < bytes.size();) {
    const std::size_t length = LLVMDisasmInstruction(disassembler.get(), code + at, bytes.size() - at,
                                                     function->start + at, text, sizeof text);
    if (function->start + at + std::max<std::size_t>(length, 1) > address) {
      if (length == 0) return {};
      const std::string line = text;
      const std::size_t start = line.find_first_not_of(" \t");
      return start == std::string::npos ? std::string{} : line.substr(start, line.find_first_of(" \t", start) - start);
    }
    at += std::max<std::size_t>(length, 1);
  }
  return {};
}

}  // namespace ravel
