// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Ravel authors
//
// `ravel assemble`: what share/compiler/as calls with the arguments of the assembler. Not for people, so in no table.
#include <fmt/format.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cerrno>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <fstream>
#include <iterator>

#include "cli/assembly.h"
#include "cli/command.h"
#include "model/exit_code.h"

namespace ravel {
namespace {

constexpr char kAssembler[] = "as";

int run_assembler(const Arguments& args) {
  std::vector<char*> argv = {const_cast<char*>(kAssembler)};
  for (const std::string& word : args) argv.push_back(const_cast<char*>(word.c_str()));
  argv.push_back(nullptr);
  const pid_t pid = fork();
  if (pid < 0) return fail(Error{ErrorKind::kInternal, "cannot start the assembler", kAssembler, std::strerror(errno)});
  if (pid == 0) {
    execvp(argv[0], argv.data());
    fmt::print(stderr, "ravel: cannot run the assembler: {}: {}; install binutils\n", kAssembler, std::strerror(errno));
    _exit(kExitUsage);
  }
  int status = 0;
  while (waitpid(pid, &status, 0) < 0 && errno == EINTR) {
  }
  return WIFEXITED(status) ? WEXITSTATUS(status) : 128 + WTERMSIG(status);
}

// The rewritten source, beside nobody's files; gone afterwards.
class TemporarySource {
 public:
  TemporarySource() = default;
  TemporarySource(const TemporarySource&) = delete;
  TemporarySource& operator=(const TemporarySource&) = delete;
  ~TemporarySource() {
    if (!path_.empty()) unlink(path_.c_str());
  }
  bool write(const std::string& text) {
    const char* base = std::getenv("TMPDIR");
    path_ = std::string(base != nullptr && *base != 0 ? base : "/tmp") + "/ravel-XXXXXX.s";
    constexpr int kSuffix = 2;
    const int file = mkstemps(path_.data(), kSuffix);
    if (file < 0) {
      path_.clear();
      return false;
    }
    close(file);
    std::ofstream stream(path_, std::ios::binary | std::ios::trunc);
    stream << text;
    return stream.flush().good();
  }
  [[nodiscard]] const std::string& path() const { return path_; }

 private:
  std::string path_;
};

// clang's text ends with a section, mostly empty, of a type that the GNU assembler warns about.
bool drop_section_type(std::string& text) {
  constexpr std::string_view kType = ",@llvm_linker_options";
  const std::size_t at = text.rfind(kType);
  if (at != std::string::npos) text.erase(at, kType.size());
  return at != std::string::npos;
}

}  // namespace

int assemble_command(const Arguments& args) {
  Arguments words = args;
  std::ifstream file(words.empty() ? "" : words.back(), std::ios::binary);
  if (!file) return run_assembler(words);
  std::string text{std::istreambuf_iterator<char>(file), std::istreambuf_iterator<char>()};
  const bool foreign = drop_section_type(text);
  const ControlledAssembly assembly = control_assembly(text);
  for (const UncontrolledInstruction& one : assembly.left) {
    fmt::print(stderr, "{}:{}: note: not controlled by Ravel: {}\n", one.file, one.line, one.text);
  }
  TemporarySource source;
  if (foreign || assembly.controlled != 0 || !assembly.left.empty()) {
    if (!source.write(assembly.text)) {
      return fail(Error{ErrorKind::kInternal, "cannot write a temporary file", source.path(), std::strerror(errno)});
    }
    words.back() = source.path();
  }
  return run_assembler(words);
}

}  // namespace ravel
