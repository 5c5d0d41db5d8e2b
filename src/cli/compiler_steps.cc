// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Ravel authors
#include "cli/compiler_steps.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <iterator>

namespace ravel {
namespace {

bool starts_with(std::string_view text, std::string_view start) {
  return text.substr(0, start.size()) == start;
}

template <std::size_t N>
bool one_of(std::string_view text, const std::array<std::string_view, N>& list) {
  return std::find(list.begin(), list.end(), text) != list.end();
}

// Options whose value is the next argument.
constexpr std::array<std::string_view, 35> kWithValue = {
    "-o",        "-x",       "-I",        "-L",       "-D",       "-U",          "-l",
    "-include",  "-imacros", "-iquote",   "-isystem", "-iprefix", "-idirafter",  "-iwithprefix",
    "-isysroot", "-MF",      "-MT",       "-MQ",      "-Xlinker", "-Xassembler", "-Xpreprocessor",
    "-Xclang",   "-mllvm",   "-target",   "-T",       "-u",       "-z",          "-e",
    "-A",        "-B",       "-aux-info", "--param",  "-wrapper", "--sysroot",   "-dumpdir"};

// Options that only the linker understands: left out when compiling, so that clang does not warn of unused ones.
constexpr std::array<std::string_view, 6> kLinkWithValue = {"-L", "-l", "-Xlinker", "-T", "-u", "-z"};
constexpr std::array<std::string_view, 13> kLinkAlone = {"-shared",
                                                         "-rdynamic",
                                                         "-s",
                                                         "-pie",
                                                         "-no-pie",
                                                         "-nostartfiles",
                                                         "-nodefaultlibs",
                                                         "-nostdlib",
                                                         "-static-libgcc",
                                                         "-static-libstdc++",
                                                         "-symbolic",
                                                         "-r",
                                                         "-nolibc"};

// Options that ask the compiler something or stop before linking.
constexpr std::array<std::string_view, 6> kStopBeforeLink = {"-c", "-S", "-E", "-M", "-MM", "-fsyntax-only"};

constexpr std::array<std::string_view, 16> kSourceSuffixes = {
    ".c", ".cc", ".cpp", ".cxx", ".c++", ".C", ".cp", ".CPP", ".i", ".ii", ".s", ".S", ".sx", ".m", ".mm", ".cppm"};
constexpr std::array<std::string_view, 8> kHeaderSuffixes = {".h", ".hh", ".hpp", ".hxx", ".h++", ".H", ".hp", ".tcc"};

std::string_view suffix_of(std::string_view path) {
  const std::size_t slash = path.rfind('/');
  const std::size_t dot = path.rfind('.');
  if (dot == std::string_view::npos || (slash != std::string_view::npos && dot < slash)) return {};
  return path.substr(dot);
}

std::string stem_of(std::string_view path) {
  const std::size_t slash = path.rfind('/');
  if (slash != std::string_view::npos) path.remove_prefix(slash + 1);
  const std::size_t dot = path.rfind('.');
  return std::string(dot == std::string_view::npos ? path : path.substr(0, dot));
}

enum class Role { kOption, kLinkOption, kDependency, kLanguage, kOutput, kSource, kHeader, kObject };

// One option with its value, or one input.
struct Item {
  Role role = Role::kOption;
  std::vector<std::string> words;
  std::string language;  // -x in force, for inputs
};

struct Parsed {
  std::vector<Item> items;
  std::string output;
  bool stops_before_link = false;
  bool relocatable = false;
  bool has_level = false;            // some -O
  bool writes_dependencies = false;  // -MD, -MMD
  bool names_dependencies = false;   // -MF
  bool names_target = false;         // -MT, -MQ
  std::size_t inputs = 0;
  std::size_t sources = 0;
};

// "-fsanitize=thread,undefined" without "thread"; empty when nothing is left.
std::string without_thread(std::string_view option) {
  constexpr std::string_view kStart = "-fsanitize=";
  std::string kept;
  std::string_view list = option.substr(kStart.size());
  while (!list.empty()) {
    const std::size_t comma = list.find(',');
    const std::string_view word = list.substr(0, comma);
    if (word != "thread") kept += (kept.empty() ? "" : ",") + std::string(word);
    list = comma == std::string_view::npos ? std::string_view{} : list.substr(comma + 1);
  }
  return kept.empty() ? std::string{} : std::string(kStart) + kept;
}

Role role_of_option(std::string_view word) {
  if (word == "-o") return Role::kOutput;
  if (word == "-x") return Role::kLanguage;
  if (word == "-MD" || word == "-MMD" || word == "-MF" || word == "-MT" || word == "-MQ" || word == "-MP") {
    return Role::kDependency;
  }
  if (one_of(word, kLinkAlone) || one_of(word, kLinkWithValue)) return Role::kLinkOption;
  if (starts_with(word, "-Wl,") || starts_with(word, "-fuse-ld") || starts_with(word, "-L") ||
      starts_with(word, "-l")) {
    return Role::kLinkOption;
  }
  return Role::kOption;
}

Result<Parsed> parse(const std::vector<std::string>& args) {
  Parsed parsed;
  std::string language;
  for (std::size_t i = 0; i < args.size(); ++i) {
    const std::string& word = args[i];
    Item item;
    if (word == "-" || !starts_with(word, "-")) {
      const std::string_view suffix = suffix_of(word);
      if (!language.empty() ? language.find("header") != std::string::npos : one_of(suffix, kHeaderSuffixes)) {
        item.role = Role::kHeader;
      } else if (!language.empty() || word == "-" || one_of(suffix, kSourceSuffixes)) {
        item.role = Role::kSource;
        ++parsed.sources;
      } else {
        item.role = Role::kObject;
      }
      ++parsed.inputs;
      item.language = language;
      item.words = {word};
      parsed.items.push_back(std::move(item));
      continue;
    }
    if (word == "-static" || word == "-static-pie" || word == "--static") {
      return usage_error("static linking is not supported", word,
                         "link dynamically: the runtime must come before libc");
    }
    // See docs/cli.md; the assembler wants a file.
    if (starts_with(word, "-flto") || word == "-fwhole-program" || word == "-gsplit-dwarf" || word == "-pipe") continue;
    item.role = role_of_option(word);
    item.words = {word};
    if (one_of(word, kWithValue)) {
      if (i + 1 == args.size()) return usage_error("argument missing", word, "give it a value");
      item.words.push_back(args[++i]);
    }
    if (item.role == Role::kOutput) parsed.output = item.words.back();
    if (starts_with(word, "-o") && word.size() > 2) {
      item.role = Role::kOutput;
      parsed.output = word.substr(2);
    }
    if (item.role == Role::kLanguage || (starts_with(word, "-x") && word.size() > 2)) {
      item.role = Role::kLanguage;
      language = item.words.size() == 2 ? item.words[1] : word.substr(2);
      if (language == "none") language.clear();
    }
    if (one_of(word, kStopBeforeLink)) parsed.stops_before_link = true;
    if (word == "-r") parsed.relocatable = true;
    if (starts_with(word, "-O")) parsed.has_level = true;
    if (word == "-MD" || word == "-MMD") parsed.writes_dependencies = true;
    if (word == "-MF") parsed.names_dependencies = true;
    if (word == "-MT" || word == "-MQ") parsed.names_target = true;
    parsed.items.push_back(std::move(item));
  }
  return parsed;
}

void append(std::vector<std::string>& to, const std::vector<std::string>& words) {
  to.insert(to.end(), words.begin(), words.end());
}

// g++ would expand copies, fills and comparisons in place, after the call-outs have been put in.
const std::string kBlocksAsCalls[] = {
    "-fno-builtin-memcpy",
    "-fno-builtin-memmove",
    "-fno-builtin-memset",
    "-fno-builtin-strcpy",
    "-fno-builtin-stpcpy",
    "-fno-builtin-strncpy",
    "-fno-builtin-strcat",
    "-fno-builtin-strncat",
    "--param=builtin-string-cmp-inline-length=0",
    "-mmemcpy-strategy=libcall:-1:noalign",
    "-mmemset-strategy=libcall:-1:noalign",
};

// Ours come first, so that the user's -g3 or -Wtsan wins.
std::vector<std::string> compile_start(const Parsed& parsed, const WrapperSetup& setup) {
  std::vector<std::string> command = {setup.compiler, "-g"};
  if (!parsed.has_level) command.push_back("-O2");
  append(command, {"-fsanitize=thread", "-fno-plt"});  // call-outs are frequent: no detour
  if (is_clang(setup.compiler)) {
    append(command, {"-mllvm", "-tsan-instrument-read-before-write=1", "-mllvm", "-tsan-distinguish-volatile=1"});
  } else {
    append(command, {"-Wno-tsan", "--param=tsan-distinguish-volatile=1"});
  }
  if (!setup.include_dir.empty()) append(command, {"-idirafter", setup.include_dir});
  if (!setup.block_calls.empty() && !is_clang(setup.compiler))
    append(command, {std::begin(kBlocksAsCalls), std::end(kBlocksAsCalls)});
  if (!setup.assembler_dir.empty()) {
    append(command, {"-B", setup.assembler_dir});
    if (is_clang(setup.compiler)) command.push_back("-fno-integrated-as");
  }
  if (setup.whole_sync) append(command, {"-isystem", setup.whole_dir});
  if (setup.hide_tsan_macro) command.push_back("-U__SANITIZE_THREAD__");
  return command;
}

// Behind the user's own -include: compilers take a precompiled header only for the first of them. A header that is
// precompiled goes without: what is written to the assembler's file would not come back out of it.
void include_block_calls(std::vector<std::string>& command, const WrapperSetup& setup) {
  if (!setup.block_calls.empty()) append(command, {"-include", setup.block_calls});
}

std::vector<std::string> link_start(const Parsed& parsed, const WrapperSetup& setup) {
  std::vector<std::string> command = {setup.compiler};
  if (parsed.relocatable) return command;
  append(command, {"-Wl,--push-state,--no-as-needed", "-L" + setup.library_dir, "-lravel_rt", "-Wl,--pop-state",
                   "-Wl,-rpath," + setup.library_dir, "-rdynamic", "-pthread"});
  return command;
}

// A dependency file is named after the object, and ours is a temporary one: name it as the compiler would have.
std::vector<std::string> dependency_names(const Parsed& parsed, const WrapperSetup& setup, const std::string& source) {
  std::vector<std::string> words;
  if (!parsed.writes_dependencies) return words;
  const std::string stem = stem_of(source);
  if (!parsed.names_dependencies) {
    const std::string output = parsed.output.empty() ? "a" : parsed.output;
    append(words, {"-MF", is_clang(setup.compiler) ? stem + ".d" : output + "-" + stem + ".d"});
  }
  if (!parsed.names_target) append(words, {"-MT", parsed.output.empty() ? stem + ".o" : parsed.output});
  return words;
}

std::vector<std::string> compile_one(const Parsed& parsed, const WrapperSetup& setup, const Item& source,
                                     const std::string& object) {
  std::vector<std::string> command = compile_start(parsed, setup);
  for (const Item& item : parsed.items) {
    if (item.role == Role::kOption || item.role == Role::kDependency) append(command, item.words);
  }
  include_block_calls(command, setup);
  append(command, dependency_names(parsed, setup, source.words[0]));
  if (!source.language.empty()) append(command, {"-x", source.language});
  append(command, {"-c", source.words[0], "-o", object});
  return command;
}

CompiledObject object_of(const Parsed& parsed, const Item& source, const std::string& object, std::size_t command) {
  CompiledObject made{command, source.words[0], object, {}, source.language};
  for (const Item& item : parsed.items) {
    if (item.role == Role::kOption) append(made.arguments, item.words);
  }
  return made;
}

// Of one command with -c: an object per source.
std::vector<CompiledObject> compiled_objects(const Parsed& parsed) {
  std::vector<CompiledObject> objects;
  for (const Item& item : parsed.items) {
    if (item.role == Role::kOption && item.words[0] != "-c" && one_of(item.words[0], kStopBeforeLink)) return {};
  }
  for (const Item& item : parsed.items) {
    if (item.role != Role::kSource || item.words[0] == "-") continue;
    const std::string object = parsed.output.empty() ? stem_of(item.words[0]) + ".o" : parsed.output;
    objects.push_back(object_of(parsed, item, object, 0));
  }
  return objects;
}

}  // namespace

bool is_clang(std::string_view compiler) {
  const std::size_t slash = compiler.rfind('/');
  if (slash != std::string_view::npos) compiler.remove_prefix(slash + 1);
  return compiler.find("clang") != std::string_view::npos;
}

Result<std::vector<std::string>> take_wrapper_options(std::vector<std::string> args, WrapperSetup& setup) {
  constexpr std::string_view kCompiler = "--compiler";
  std::vector<std::string> kept;
  for (std::size_t i = 0; i < args.size(); ++i) {
    if (args[i] == "--hide-tsan-macro") {
      setup.hide_tsan_macro = true;
    } else if (args[i] == "--whole-sync") {
      setup.whole_sync = true;
    } else if (args[i] == kCompiler) {
      if (i + 1 == args.size()) return usage_error("argument missing", args[i], "name a compiler, for example clang++");
      setup.compiler = args[++i];
    } else if (starts_with(args[i], std::string(kCompiler) + "=")) {
      setup.compiler = args[i].substr(kCompiler.size() + 1);
    } else {
      kept.push_back(std::move(args[i]));
    }
  }
  if (setup.compiler.empty())
    return usage_error("empty compiler name", "--compiler", "name a compiler, for example clang++");
  return kept;
}

Result<CompilerSteps> compiler_steps(const std::vector<std::string>& args, const WrapperSetup& setup) {
  auto result = parse(args);
  if (!result) return tl::make_unexpected(result.error());
  const Parsed& parsed = *result;
  CompilerSteps steps;

  if (parsed.inputs == 0) {  // --version, -print-search-dirs, ...
    std::vector<std::string> command = {setup.compiler};
    append(command, args);
    steps.commands.push_back(std::move(command));
    return steps;
  }

  const bool makes_header =
      std::any_of(parsed.items.begin(), parsed.items.end(), [](const Item& i) { return i.role == Role::kHeader; });
  if (parsed.stops_before_link || makes_header) {
    std::vector<std::string> command = compile_start(parsed, setup);
    for (const Item& item : parsed.items) {
      if (item.role != Role::kLinkOption) append(command, item.words);
    }
    if (!makes_header) include_block_calls(command, setup);
    steps.commands.push_back(std::move(command));
    if (!makes_header) steps.objects = compiled_objects(parsed);
    return steps;
  }

  std::vector<std::string> link = link_start(parsed, setup);
  for (const Item& item : parsed.items) {
    switch (item.role) {
      case Role::kSource: {
        const std::string object =
            fmt::format("{}/{}-{}.o", setup.temporary_dir, steps.commands.size() + 1, stem_of(item.words[0]));
        steps.objects.push_back(object_of(parsed, item, object, steps.commands.size()));
        steps.commands.push_back(compile_one(parsed, setup, item, object));
        steps.needs_temporary = true;
        link.push_back(object);
        break;
      }
      case Role::kLanguage:    // would make the linker's inputs sources
      case Role::kDependency:  // done when compiling
        break;
      default:
        if (starts_with(item.words[0], "-fsanitize=")) {
          std::string kept = without_thread(item.words[0]);
          if (!kept.empty()) link.push_back(std::move(kept));
        } else {
          append(link, item.words);
        }
    }
  }
  steps.commands.push_back(std::move(link));
  return steps;
}

std::vector<std::string> split_response_file(std::string_view text) {
  std::vector<std::string> words;
  std::string word;
  bool in_word = false;
  char quote = 0;
  for (std::size_t i = 0; i < text.size(); ++i) {
    const char c = text[i];
    if (c == '\\' && i + 1 < text.size()) {
      word += text[++i];
      in_word = true;
    } else if (quote != 0) {
      if (c == quote) {
        quote = 0;
      } else {
        word += c;
      }
    } else if (c == '\'' || c == '"') {
      quote = c;
      in_word = true;
    } else if (c == ' ' || c == '\t' || c == '\n' || c == '\r' || c == '\f' || c == '\v') {
      if (in_word) words.push_back(std::move(word));
      word.clear();
      in_word = false;
    } else {
      word += c;
      in_word = true;
    }
  }
  if (in_word) words.push_back(std::move(word));
  return words;
}

}  // namespace ravel
