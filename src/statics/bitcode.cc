// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Ravel authors
#include "statics/bitcode.h"

#include <fcntl.h>
#include <fmt/format.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <optional>
#include <set>
#include <sstream>

#include "base/hash.h"

namespace ravel {
namespace {

namespace fs = std::filesystem;
constexpr unsigned kMostRetries = 16;

bool starts_with(const std::string& word, std::string_view start) {
  return word.compare(0, start.size(), start) == 0;
}

std::string read_text(const std::string& path) {
  std::ifstream file(path, std::ios::binary);
  return {std::istreambuf_iterator<char>(file), {}};
}

std::string absolute(const std::string& folder, const std::string& path) {
  return (fs::path(path).is_absolute() ? fs::path(path) : fs::path(folder) / path).lexically_normal().string();
}

// Options for the preprocessor, but for those that make it write a file of dependencies.
bool defines_macros(const std::string& word) {
  return starts_with(word, "-Wp,") && word.find(",-M") == std::string::npos;
}

// Options that say how to optimise, what to write or how to instrument: ours decide.
bool is_ours(const std::string& word) {
  static const std::set<std::string> kWhole = {"-c",  "-S",      "-MD",         "-MMD",  "-MP",
                                               "-MG", "-Werror", "-save-temps", "-pipe", "-v"};
  return kWhole.count(word) != 0 || starts_with(word, "-O") || starts_with(word, "-g") ||
         starts_with(word, "-fsanitize") || starts_with(word, "-flto") ||
         (starts_with(word, "-W") && !defines_macros(word)) || starts_with(word, "-fprofile") ||
         starts_with(word, "-fdiagnostics");
}

bool names_clang(const std::string& compiler) {
  return fs::path(compiler).filename().string().find("clang") != std::string::npos;
}

// As the compiler took it: g++ takes a `.c' for C++, gcc does not.
bool is_c(const CompileCommand& command) {
  if (!command.language.empty()) return command.language == "c";
  const bool cxx = fs::path(command.compiler).filename().string().find("++") != std::string::npos;
  return !cxx && fs::path(command.source).extension() == ".c";
}

std::vector<std::string> clang_words(const std::string& clang, const CompileCommand& command,
                                     const BitcodeSetup& setup) {
  std::vector<std::string> words = {clang};
  bool standard = false;
  bool hides = false;
  for (std::size_t i = 0; i < command.arguments.size(); ++i) {
    const std::string& word = command.arguments[i];
    if (word == "-MF" || word == "-MT" || word == "-MQ" || word == "-o") {
      ++i;
      continue;
    }
    if (is_ours(word)) continue;
    if (word == "-include" && i + 1 < command.arguments.size()) {
      // Past clang's driver, which would take a precompiled header of g++ beside it for its own.
      words.insert(words.end(), {"-Xclang", "-include", "-Xclang", command.arguments[++i]});
      continue;
    }
    standard |= starts_with(word, "-std=");
    hides |= word == "-U__SANITIZE_THREAD__";
    words.push_back(word);
  }
  const bool c = is_c(command);
  if (!names_clang(command.compiler)) {
    if (!standard && !c) words.push_back("-std=gnu++17");  // the default of g++ 12
    if (!hides) words.push_back("-D__SANITIZE_THREAD__=1");
  }
  if (!setup.include_dir.empty()) words.insert(words.end(), {"-idirafter", setup.include_dir});
  // No warning is an error: the program's compiler accepted the file.
  words.insert(words.end(), {"-Wno-everything", "-Qunused-arguments", "-O1", "-g", "-fsanitize=thread", "-Xclang",
                             "-disable-llvm-passes", "-emit-llvm", "-c"});
  // Said in any case: clang++ takes a `.c' for C++.
  words.insert(words.end(), {"-x", !command.language.empty() ? command.language : c ? "c" : "c++"});
  return words;
}

int run(const std::vector<std::string>& words, const std::string& folder, const std::string& messages) {
  std::vector<char*> argv;
  for (const std::string& word : words) argv.push_back(const_cast<char*>(word.c_str()));
  argv.push_back(nullptr);
  const pid_t child = fork();
  if (child < 0) return -1;
  if (child == 0) {
    const int out = open(messages.c_str(), O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0666);
    if (out < 0 || dup2(out, STDERR_FILENO) < 0 || dup2(out, STDOUT_FILENO) < 0 || chdir(folder.c_str()) != 0)
      _exit(127);
    execvp(argv[0], argv.data());
    _exit(127);
  }
  int status = 0;
  while (waitpid(child, &status, 0) < 0 && errno == EINTR) {
  }
  return WIFEXITED(status) ? WEXITSTATUS(status) : -1;
}

// The option in "unknown argument: '-fno-plt-x'"; empty: the error is another one.
std::string unknown_option(const std::string& messages) {
  for (const std::string_view start : {"unknown argument: '", "unsupported option '", "unknown argument '"}) {
    const std::size_t at = messages.find(start);
    if (at == std::string::npos) continue;
    const std::size_t begin = at + start.size();
    const std::size_t end = messages.find('\'', begin);
    if (end != std::string::npos) return messages.substr(begin, end - begin);
  }
  return {};
}

std::string first_error(const std::string& messages) {
  std::istringstream lines(messages);
  for (std::string line; std::getline(lines, line);) {
    const std::size_t at = line.find("error: ");
    if (at != std::string::npos) return line.substr(at + 7);
  }
  return "clang failed";
}

// Files that the compiler read, from its dependency file: "x.o: a.cpp \\\n b.h".
std::vector<std::string> dependencies(const std::string& path, const std::string& folder) {
  std::string text = read_text(path);
  text.erase(0, std::min(text.find(": "), text.size()));
  std::vector<std::string> files;
  std::string word;
  for (std::size_t i = 0; i <= text.size(); ++i) {
    const char c = i < text.size() ? text[i] : ' ';
    if (c == '\\' && i + 1 < text.size() && text[i + 1] == ' ') {
      word += text[++i];
    } else if (c == ' ' || c == '\n' || c == '\\' || c == ':') {
      if (!word.empty()) files.push_back(absolute(folder, word));
      word.clear();
    } else {
      word += c;
    }
  }
  return files;
}

bool is_user_file(const std::string& path) {
  return !starts_with(path, "/usr/");
}

std::uint64_t hash_of_all(const std::vector<std::string>& files) {
  std::uint64_t hash = 0;
  for (const std::string& file : files) {
    if (is_user_file(file)) hash = hash_combine(hash_bytes(hash, file), hash_of_file(file));
  }
  return hash;
}

class Maker {
 public:
  Maker(const std::string& clang, const BitcodeSetup& setup, Bitcode& made)
      : clang_(clang), setup_(setup), made_(made) {}
  void make(const CompileCommand& command);

 private:
  bool compile(const CompileCommand& command, const std::string& stem);
  [[nodiscard]] std::string newer_header(const std::vector<std::string>& files, const std::string& source) const;

  const std::string& clang_;
  const BitcodeSetup& setup_;
  Bitcode& made_;
};

bool Maker::compile(const CompileCommand& command, const std::string& stem) {
  std::vector<std::string> words = clang_words(clang_, command, setup_);
  // Under a name of its own until it is whole: two analyses may make the same file.
  const std::string temporary = fmt::format("{}.{}", stem, getpid());
  words.insert(words.end(), {command.source, "-o", temporary + ".bc", "-MD", "-MF", temporary + ".d"});
  std::string messages;
  bool good = false;
  for (unsigned attempt = 0; attempt < kMostRetries && !good; ++attempt) {
    good = run(words, command.folder, temporary + ".txt") == 0;
    if (good) break;
    messages = read_text(temporary + ".txt");
    const std::string unknown = unknown_option(messages);
    const auto at = std::find(words.begin(), words.end(), unknown);
    if (unknown.empty() || at == words.end()) break;
    words.erase(at);
    if (std::find(made_.dropped.begin(), made_.dropped.end(), unknown) == made_.dropped.end())
      made_.dropped.push_back(unknown);
  }
  std::error_code ignored;
  fs::remove(temporary + ".txt", ignored);
  if (!good) {
    made_.missing.push_back(fmt::format("{}: {}", command.source, first_error(messages)));
    fs::remove(temporary + ".bc", ignored);
    fs::remove(temporary + ".d", ignored);
    return false;
  }
  std::ofstream(temporary + ".hash") << hash_of_all(dependencies(temporary + ".d", command.folder));
  for (const char* end : {".bc", ".d", ".hash"}) fs::rename(temporary + end, stem + end, ignored);
  ++made_.compiled;
  return true;
}

std::string Maker::newer_header(const std::vector<std::string>& files, const std::string& source) const {
  if (setup_.program.empty()) return {};
  std::error_code error;
  const auto built = fs::last_write_time(setup_.program, error);
  if (error) return {};
  for (const std::string& file : files) {
    if (!is_user_file(file) || file == source || starts_with(file, setup_.include_dir)) continue;
    const auto changed = fs::last_write_time(file, error);
    if (!error && changed > built) return file;
  }
  return {};
}

void Maker::make(const CompileCommand& command) {
  const std::string source = absolute(command.folder, command.source);
  const std::uint64_t hash = hash_of_file(source);
  if (hash == 0) {
    made_.missing.push_back(command.source + ": cannot be read");
    return;
  }
  if (command.source_hash != 0 && command.source_hash != hash) {
    made_.missing.push_back(command.source + ": changed since the program was built");
    return;
  }
  std::uint64_t key = hash_bytes(0, command.folder);
  for (const std::string& word : clang_words(clang_, command, setup_)) key = hash_bytes(key, word);
  const std::string stem = fmt::format("{}/{:016x}", setup_.cache, hash_bytes(key, command.source));
  const std::vector<std::string> known = dependencies(stem + ".d", command.folder);
  const bool fresh =
      !known.empty() && fs::exists(stem + ".bc") && read_text(stem + ".hash") == fmt::format("{}", hash_of_all(known));
  if (!fresh && !compile(command, stem)) return;
  const std::vector<std::string> files = dependencies(stem + ".d", command.folder);
  if (const std::string header = newer_header(files, source); !header.empty()) {
    made_.missing.push_back(fmt::format("{}: {} is newer than the program", command.source, header));
    return;
  }
  made_.files.push_back(stem + ".bc");
  made_.sources.push_back({source, hash});
}

}  // namespace

std::string find_clang14() {
  const char* path = std::getenv("PATH");
  std::istringstream folders(path == nullptr ? "" : path);
  for (std::string folder; std::getline(folders, folder, ':');) {
    const std::string name = folder + "/clang++-14";
    if (access(name.c_str(), X_OK) == 0) return name;
  }
  return {};
}

Bitcode make_bitcode(const std::string& clang, const std::vector<CompileCommand>& commands, const BitcodeSetup& setup) {
  Bitcode made;
  std::error_code error;
  fs::create_directories(setup.cache, error);
  Maker maker(clang, setup, made);
  for (const CompileCommand& command : commands) maker.make(command);
  return made;
}

}  // namespace ravel
