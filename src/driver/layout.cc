// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Ravel authors
#include "driver/layout.h"

#include <filesystem>

namespace ravel {
namespace {

namespace fs = std::filesystem;

Result<std::string> find_beside_tool(const char* const* candidates, const char* what) {
  std::error_code error;
  const fs::path exe = fs::read_symlink("/proc/self/exe", error);
  if (error) return internal_error("cannot find the tool's own path", "/proc/self/exe", error.message());
  const fs::path folder = exe.parent_path();
  for (; *candidates != nullptr; ++candidates) {
    const fs::path path = folder / *candidates;
    if (fs::exists(path, error)) return fs::weakly_canonical(path, error).string();
  }
  return internal_error("part of Ravel is missing", what, "build or install Ravel again");
}

}  // namespace

Result<std::string> runtime_directory() {
  static const char* const candidates[] = {"../lib/libravel_rt.so", "../lib/ravel/libravel_rt.so",
                                           "../lib/x86_64-linux-gnu/libravel_rt.so", "../lib64/libravel_rt.so",
                                           nullptr};
  auto path = find_beside_tool(candidates, kRuntimeName);
  if (!path) return path;
  return fs::path(*path).parent_path().string();
}

Result<std::string> include_directory() {
  static const char* const candidates[] = {"../include/ravel/ravel.h", nullptr};
  auto path = find_beside_tool(candidates, "ravel/ravel.h");
  if (!path) return path;
  return fs::path(*path).parent_path().parent_path().string();
}

Result<std::string> gdb_script() {
  static const char* const candidates[] = {"../share/ravel/gdb/ravel_gdb.py", "../../share/gdb/ravel_gdb.py", nullptr};
  return find_beside_tool(candidates, "ravel_gdb.py");
}

Result<std::string> assembler_directory() {
  static const char* const candidates[] = {"../share/ravel/compiler/as", nullptr};
  auto path = find_beside_tool(candidates, "share/ravel/compiler/as");
  if (!path) return path;
  return fs::path(*path).parent_path().string();
}

Result<std::string> block_calls_header() {
  static const char* const candidates[] = {"../share/ravel/compiler/block_calls.h", nullptr};
  return find_beside_tool(candidates, "block_calls.h");
}

Result<std::string> tree_directory() {
  static const char* const candidates[] = {"../lib/cmake/Ravel/RavelToolchain.cmake", nullptr};
  auto path = find_beside_tool(candidates, "RavelToolchain.cmake");
  if (!path) return path;
  return fs::path(*path).parent_path().parent_path().parent_path().parent_path().string();
}

Result<std::string> shipped_suppressions() {
  static const char* const candidates[] = {"../share/ravel/suppressions.txt", "../../share/suppressions.txt", nullptr};
  return find_beside_tool(candidates, "suppressions.txt");
}

}  // namespace ravel
