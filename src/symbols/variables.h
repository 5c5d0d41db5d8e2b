// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Ravel authors
//
// Variables of one ELF file as its debug information describes them: which member of a global an address is
// (".balance", "[2].name"), and which local variable of a function a place in its frame is. The insides of library
// types are not named: a mutex is a mutex, whatever its fields are called.
#pragma once

#include <cstdint>
#include <memory>
#include <string>

namespace ravel {

// A part of a variable. `rest` bytes into it there is nothing that has a name.
struct MemberName {
  std::string path;
  std::uint64_t rest = 0;
};

struct LocalName {
  std::string name;  // with its members; empty: unknown
  std::uint64_t rest = 0;
  std::string file;
  std::uint32_t line = 0;
};

class Variables {
 public:
  explicit Variables(const std::string& path);
  Variables(const Variables&) = delete;
  Variables& operator=(const Variables&) = delete;
  ~Variables();

  // Of the global at `start`, `offset` bytes into it.
  MemberName member(std::uint64_t start, std::uint64_t offset);
  // Of the function around `pc`. The place lies `below_frame` bytes below the upper end of its frame (the CFA), and
  // `above_stack` bytes above its stack pointer.
  // Of variables that share the place, one whose scope `pc` lies in.
  LocalName local(std::uint64_t pc, std::int64_t below_frame, std::int64_t above_stack);
  // Of a heap block that has `size` bytes: the functions around `pc` have a pointer, such as `this', to a class of that
  // size. Yields "Queue::head" for the place `offset` bytes into it; empty: no such pointer, or nothing with a name.
  MemberName pointed(std::uint64_t pc, std::uint64_t size, std::uint64_t offset);

 private:
  struct Impl;
  std::unique_ptr<Impl> impl_;
};

}  // namespace ravel
