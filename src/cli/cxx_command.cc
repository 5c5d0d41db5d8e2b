// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Ravel authors
//
// `ravel c++` and `ravel cc`: run the steps of compiler_steps.h. The compiler's exit code is ours.
#include <fcntl.h>
#include <fmt/format.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cerrno>
#include <cstdlib>
#include <cstring>
#include <filesystem>
#include <fstream>
#include <iterator>

#include "cli/command.h"
#include "cli/compile_recording.h"
#include "cli/compiler_steps.h"
#include "cli/options.h"
#include "driver/layout.h"
#include "model/exit_code.h"

namespace ravel {
namespace {

constexpr int kMaxResponseDepth = 8;
// Far below the kernel's limit for a whole command line; longer ones go through a response file of our own.
constexpr std::size_t kLongCommand = 100'000;

constexpr char kUsage[] = "[options] ARGUMENTS OF THE COMPILER...";
constexpr char kExitCodes[] = "those of the compiler";
constexpr CommandSyntax kCxx = {"c++", kUsage,
                                "Compiles with -g -fsanitize=thread (and -O2 unless an -O is given) and links with "
                                "Ravel's runtime: ravel c++ -std=c++20 bank.cpp -o bank.",
                                ProgramStartsAt::kFirstWord, kExitCodes};
constexpr CommandSyntax kCc = {"cc", kUsage, "As `ravel c++', for C: ravel cc -std=c11 bank.c -o bank.",
                               ProgramStartsAt::kFirstWord, kExitCodes};

// They stand among the compiler's own options: take_wrapper_options finds them.
constexpr OptionRow<WrapperSetup> kRows[] = {
    {"--compiler", "NAME", "the compiler to call (default $RAVEL_CXX or g++; for C $RAVEL_CC or gcc)", nullptr},
    {"--hide-tsan-macro", "", "undefine __SANITIZE_THREAD__, for sources that change when they see it", nullptr},
    {"--whole-sync", "", "semaphores, latches and barriers of the standard library as one event per operation",
     nullptr},
};

CommandPage wrapper_page(const CommandSyntax& syntax) {
  return page_of(syntax, std::span<const OptionRow<WrapperSetup>>(kRows));
}

Result<Arguments> expand_response_files(const Arguments& args, int depth) {
  Arguments out;
  for (const std::string& word : args) {
    if (word.size() < 2 || word[0] != '@') {
      out.push_back(word);
      continue;
    }
    std::ifstream file(word.substr(1), std::ios::binary);
    if (!file) {  // as the compilers do: a file that cannot be read is an ordinary argument
      out.push_back(word);
      continue;
    }
    if (depth == kMaxResponseDepth) return usage_error("response files are nested too deeply", word);
    const std::string text{std::istreambuf_iterator<char>(file), std::istreambuf_iterator<char>()};
    auto inner = expand_response_files(split_response_file(text), depth + 1);
    if (!inner) return inner;
    out.insert(out.end(), inner->begin(), inner->end());
  }
  return out;
}

// A folder for objects that nobody sees, removed at the end.
class TemporaryFolder {
 public:
  TemporaryFolder() = default;
  TemporaryFolder(const TemporaryFolder&) = delete;
  TemporaryFolder& operator=(const TemporaryFolder&) = delete;
  ~TemporaryFolder() {
    std::error_code ignored;
    if (!path_.empty()) std::filesystem::remove_all(path_, ignored);
  }
  Result<std::string> create() {
    const char* base = std::getenv("TMPDIR");
    std::string name = std::string(base != nullptr && *base != 0 ? base : "/tmp") + "/ravel-XXXXXX";
    if (mkdtemp(name.data()) == nullptr) {
      return internal_error("cannot make a temporary folder", name, std::strerror(errno));
    }
    path_ = name;
    return name;
  }

 private:
  std::string path_;
};

void write_long_command(Arguments& command, const std::string& folder) {
  std::size_t bytes = 0;
  for (const std::string& word : command) bytes += word.size() + 1;
  if (bytes < kLongCommand || folder.empty()) return;
  const std::string name = folder + "/arguments";
  std::ofstream file(name, std::ios::binary | std::ios::trunc);
  for (std::size_t i = 1; i < command.size(); ++i) {
    for (char c : command[i]) {
      if (c == ' ' || c == '\t' || c == '\n' || c == '\\' || c == '"' || c == '\'') file << '\\';
      file << c;
    }
    file << '\n';
  }
  command = {command[0], "@" + name};
}

int run_step(const Arguments& command) {
  std::vector<char*> argv;
  for (const std::string& word : command) argv.push_back(const_cast<char*>(word.c_str()));
  argv.push_back(nullptr);
  const pid_t pid = fork();
  if (pid < 0) return fail(Error{ErrorKind::kInternal, "cannot start the compiler", command[0], std::strerror(errno)});
  if (pid == 0) {
    execvp(argv[0], argv.data());
    fmt::print(stderr, "ravel: cannot run the compiler: {}: {}; install it or name another with --compiler\n", argv[0],
               std::strerror(errno));
    _exit(kExitUsage);
  }
  int status = 0;
  while (waitpid(pid, &status, 0) < 0 && errno == EINTR) {
  }
  if (WIFEXITED(status)) return WEXITSTATUS(status);
  return 128 + WTERMSIG(status);
}

// Builds that take the compiler as one word cannot give it an option.
const char* compiler_of(const char* variable, const char* otherwise) {
  const char* const given = std::getenv(variable);
  return given != nullptr && *given != 0 ? given : otherwise;
}

int wrap(const Arguments& args, const CommandSyntax& syntax, const char* compiler) {
  if (args.empty() || (args.size() == 1 && args[0] == "--help")) {
    const CommandPage page = wrapper_page(syntax);
    fmt::print(args.empty() ? stderr : stdout, "{}", help_text(page.syntax, page.options));
    return args.empty() ? kExitUsage : kExitClean;
  }
  WrapperSetup setup;
  setup.compiler = compiler;
  auto library = runtime_directory();
  if (!library) return fail(library.error());
  setup.library_dir = *library;
  auto include = include_directory();
  if (!include) return fail(include.error());
  setup.include_dir = *include;
  auto calls = block_calls_header();
  if (!calls) return fail(calls.error());
  setup.block_calls = *calls;
  setup.whole_dir = std::filesystem::path(*calls).parent_path() / "whole";
  auto assembler = assembler_directory();
  if (!assembler) return fail(assembler.error());
  setup.assembler_dir = *assembler;
  auto kept = take_wrapper_options(args, setup);
  if (!kept) return fail(kept.error());
  auto expanded = expand_response_files(*kept, 0);
  if (!expanded) return fail(expanded.error());
  TemporaryFolder folder;
  auto made = folder.create();
  if (!made) return fail(made.error());
  setup.temporary_dir = *made;
  auto steps = compiler_steps(*expanded, setup);
  if (!steps) return fail(steps.error());
  for (std::size_t i = 0; i < steps->commands.size(); ++i) {
    write_long_command(steps->commands[i], setup.temporary_dir);
    if (const int code = run_step(steps->commands[i]); code != 0) return code;
    for (const CompiledObject& object : steps->objects) {
      if (object.command == i) record_compile_command(object, setup, setup.temporary_dir);
    }
  }
  return 0;
}

}  // namespace

CommandPage cxx_page() {
  return wrapper_page(kCxx);
}

CommandPage cc_page() {
  return wrapper_page(kCc);
}

int cxx_command(const Arguments& args) {
  return wrap(args, kCxx, compiler_of("RAVEL_CXX", "g++"));
}

int cc_command(const Arguments& args) {
  return wrap(args, kCc, compiler_of("RAVEL_CC", "gcc"));
}

}  // namespace ravel
