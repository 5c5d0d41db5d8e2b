// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Ravel authors
#include "statics/compile_record.h"

#include <fmt/format.h>

#include <filesystem>
#include <fstream>
#include <iterator>
#include <nlohmann/json.hpp>
#include <optional>

#include "base/hash.h"

namespace ravel {
namespace {

using Json = nlohmann::json;

std::string text_of(const Json& json, const char* name) {
  const auto found = json.find(name);
  return found != json.end() && found->is_string() ? found->get<std::string>() : std::string();
}

std::optional<CompileCommand> command_of(const Json& json) {
  if (!json.is_object()) return std::nullopt;
  CompileCommand command{
      text_of(json, "folder"), text_of(json, "compiler"), text_of(json, "source"), {}, text_of(json, "language"), 0};
  if (command.folder.empty() || command.source.empty()) return std::nullopt;
  const std::string hash = text_of(json, "hash");
  command.source_hash = std::strtoull(hash.c_str(), nullptr, 16);
  const auto words = json.find("arguments");
  if (words != json.end() && words->is_array()) {
    for (const Json& word : *words) {
      if (word.is_string()) command.arguments.push_back(word.get<std::string>());
    }
  }
  return command;
}

// Words of a shell command, for "command" of a compilation database.
std::vector<std::string> shell_words(std::string_view text) {
  std::vector<std::string> words;
  std::string word;
  bool inside = false;
  char quote = 0;
  for (std::size_t i = 0; i < text.size(); ++i) {
    const char c = text[i];
    if (quote != '\'' && c == '\\' && i + 1 < text.size()) {
      word += text[++i];
      inside = true;
    } else if (quote != 0 ? c == quote : (c == '"' || c == '\'')) {
      quote = quote != 0 ? 0 : c;
      inside = true;
    } else if (quote == 0 && (c == ' ' || c == '\t' || c == '\n')) {
      if (inside) words.push_back(std::move(word));
      word.clear();
      inside = false;
    } else {
      word += c;
      inside = true;
    }
  }
  if (inside) words.push_back(std::move(word));
  return words;
}

CompileCommand database_entry(const Json& json) {
  CompileCommand command;
  command.folder = text_of(json, "directory");
  command.source = text_of(json, "file");
  std::vector<std::string> words;
  const auto given = json.find("arguments");
  if (given != json.end() && given->is_array()) {
    for (const Json& word : *given) words.push_back(word.is_string() ? word.get<std::string>() : std::string());
  } else {
    words = shell_words(text_of(json, "command"));
  }
  std::size_t first = 0;
  if (!words.empty()) command.compiler = words[first++];
  // "ravel c++ ..." is the wrapper.
  if (first < words.size() && (words[first] == "c++" || words[first] == "cc"))
    command.compiler = words[first++] == "cc" ? "gcc" : "g++";
  for (std::size_t i = first; i < words.size(); ++i) {
    if (words[i] == "-o") {
      ++i;
    } else if (words[i] != command.source && words[i] != "-c") {
      command.arguments.push_back(words[i]);
    }
  }
  return command;
}

}  // namespace

std::string line_of(const CompileCommand& command) {
  const Json json = {{"folder", command.folder},     {"compiler", command.compiler},
                     {"source", command.source},     {"arguments", command.arguments},
                     {"language", command.language}, {"hash", fmt::format("{:x}", command.source_hash)}};
  return json.dump(-1, ' ', true, Json::error_handler_t::replace) + "\n";
}

std::vector<CompileCommand> parse_compile_lines(std::string_view text) {
  std::vector<CompileCommand> commands;
  while (!text.empty()) {
    const std::size_t end = text.find('\n');
    std::string_view line = text.substr(0, end);
    while (!line.empty() && line.front() == '\0') line.remove_prefix(1);  // the linker's padding
    const Json json = Json::parse(line, nullptr, false);
    if (auto command = command_of(json)) commands.push_back(std::move(*command));
    if (end == std::string_view::npos) break;
    text.remove_prefix(end + 1);
  }
  return commands;
}

Result<std::vector<CompileCommand>> read_compile_commands(const std::string& path) {
  std::ifstream file(path, std::ios::binary);
  if (!file) return usage_error("cannot read the compile commands", path);
  const std::string text{std::istreambuf_iterator<char>(file), {}};
  const Json json = Json::parse(text, nullptr, false);
  if (!json.is_array()) return usage_error("not a compilation database", path, "a JSON array of commands is needed");
  std::vector<CompileCommand> commands;
  for (const Json& entry : json) {
    CompileCommand command = entry.is_object() ? database_entry(entry) : CompileCommand{};
    if (command.folder.empty() || command.source.empty())
      return usage_error("not a compilation database", path, "each entry needs directory, file and command");
    commands.push_back(std::move(command));
  }
  return commands;
}

std::uint64_t hash_of_file(const std::string& path) {
  std::ifstream file(path, std::ios::binary);
  if (!file) return 0;
  const std::string text{std::istreambuf_iterator<char>(file), {}};
  const std::uint64_t hash = hash_bytes(0, text);
  return hash == 0 ? 1 : hash;
}

}  // namespace ravel
