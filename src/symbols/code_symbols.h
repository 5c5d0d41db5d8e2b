// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Ravel authors
//
// The functions of an ELF file and the calls in them that leave the file, which is what compiler call-outs are.
#pragma once

#include <cstdint>
#include <memory>
#include <string>
#include <vector>

namespace ravel {

struct CodeSymbol {
  std::string name;  // as linked
  std::uint64_t start = 0;
  std::uint64_t end = 0;
};

// A call that leaves the file.
struct CallOut {
  std::uint64_t after = 0;  // return address
  std::string callee;       // as linked; empty: unknown
};

// The readable name of a function with its scopes and without its parameters: "Account::deposit".
std::string function_name(const std::string& linked);

class CodeSymbols {
 public:
  explicit CodeSymbols(const std::string& path);
  CodeSymbols(const CodeSymbols&) = delete;
  CodeSymbols& operator=(const CodeSymbols&) = delete;
  ~CodeSymbols();

  // nullptr when there is none.
  [[nodiscard]] const CodeSymbol* at(std::uint64_t address) const;
  [[nodiscard]] const CodeSymbol* named(const std::string& name) const;
  // All of them, by start.
  [[nodiscard]] std::vector<CodeSymbol> all() const;
  [[nodiscard]] std::string bytes_of(const CodeSymbol& symbol) const;
  // Calls to another file, in order.
  [[nodiscard]] std::vector<CallOut> call_outs(const CodeSymbol& symbol) const;
  // Calls of the file's own functions and calls through pointers, whose callee is unknown, in order. Bytes that only
  // look like a call may be among them.
  [[nodiscard]] std::vector<CallOut> inner_calls(const CodeSymbol& symbol) const;

 private:
  struct Impl;
  std::unique_ptr<Impl> impl_;
};

}  // namespace ravel
