// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Ravel authors
#include "cli/compile_recording.h"

#include <fcntl.h>
#include <fmt/format.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cerrno>
#include <filesystem>
#include <fstream>

#include "statics/compile_record.h"

namespace ravel {
namespace {

namespace fs = std::filesystem;

void run_quietly(const std::vector<std::string>& words) {
  std::vector<char*> argv;
  for (const std::string& word : words) argv.push_back(const_cast<char*>(word.c_str()));
  argv.push_back(nullptr);
  const pid_t child = fork();
  if (child == 0) {
    const int nowhere = open("/dev/null", O_WRONLY | O_CLOEXEC);
    if (nowhere < 0 || dup2(nowhere, STDERR_FILENO) < 0) _exit(127);
    execvp(argv[0], argv.data());
    _exit(127);
  }
  int status = 0;
  while (child > 0 && waitpid(child, &status, 0) < 0 && errno == EINTR) {
  }
}

}  // namespace

void record_compile_command(const CompiledObject& object, const WrapperSetup& setup,
                            const std::string& temporary_folder) {
  std::error_code error;
  const std::string folder = fs::current_path(error).string();
  if (error || !fs::is_regular_file(object.object, error)) return;
  CompileCommand command{folder,           setup.compiler,  object.source,
                         object.arguments, object.language, hash_of_file(object.source)};
  if (setup.hide_tsan_macro) command.arguments.push_back("-U__SANITIZE_THREAD__");
  const std::string file = temporary_folder + "/command";
  std::ofstream(file, std::ios::binary | std::ios::trunc) << line_of(command);
  run_quietly({"objcopy", fmt::format("--add-section={}={}", kCompileSection, file), object.object});
}

}  // namespace ravel
