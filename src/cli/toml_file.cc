// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Ravel authors
#include "cli/toml_file.h"

#include <fmt/format.h>
#include <sys/stat.h>
#include <unistd.h>

#include <toml++/toml.h>
#include <algorithm>
#include <cerrno>
#include <cstring>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <sstream>

#include "model/text/near_names.h"

namespace ravel {
namespace {

namespace fs = std::filesystem;

constexpr std::uintmax_t kLargest = 1u << 20;
// gdb runs what its arguments say: only the user's own words may.
constexpr std::string_view kCommandLineOnly[] = {"gdb", "gdb-args"};

std::string_view type_name(const toml::node& node) {
  if (node.is_table()) return "a table";
  if (node.is_array()) return "an array";
  if (node.is_string()) return "a string";
  if (node.is_integer()) return "an integer";
  if (node.is_floating_point()) return "a float";
  if (node.is_boolean()) return "a boolean";
  return "a date or time";
}

std::string beside(const std::string& folder, const std::string& file) {
  const bool name_of_ours = file == "-" || file == "none";
  return folder.empty() || name_of_ours || file.empty() ? file : (fs::path(folder) / file).string();
}

// "html=a.html,console" with the file beside the folder.
std::string formats_beside(const std::string& folder, std::string_view list) {
  std::string out;
  while (!list.empty()) {
    const std::size_t comma = std::min(list.find(','), list.size());
    const std::string_view item = list.substr(0, comma);
    const std::size_t equals = item.find('=');
    out += out.empty() ? "" : ",";
    out += equals == std::string_view::npos
               ? std::string(item)
               : std::string(item.substr(0, equals + 1)) + beside(folder, std::string(item.substr(equals + 1)));
    list.remove_prefix(std::min(comma + 1, list.size()));
  }
  return out;
}

// The value as it would stand on the command line; an error says what was expected.
tl::expected<std::string, std::string> text_of(const toml::node& node, ValueKind kind) {
  const auto wrong = [&](std::string_view expected) {
    return tl::make_unexpected(fmt::format("{} is expected, not {}", expected, type_name(node)));
  };
  if (kind == ValueKind::kFlag) {
    const auto value = node.value_exact<bool>();
    return value ? tl::expected<std::string, std::string>(*value ? "true" : "false") : wrong("true or false");
  }
  if (const auto text = node.value_exact<std::string>()) return *text;
  if (kind == ValueKind::kNumber || kind == ValueKind::kTime) {
    const auto number = node.value_exact<std::int64_t>();
    if (!number) return wrong(kind == ValueKind::kNumber ? "an integer" : "a time such as \"10s\"");
    return fmt::format("{}", *number);
  }
  if (kind != ValueKind::kList && kind != ValueKind::kFormats) return wrong("a string");
  const toml::array* list = node.as_array();
  if (list == nullptr) return wrong("a string or an array of strings");
  std::string joined;
  for (const toml::node& item : *list) {
    const auto text = item.value_exact<std::string>();
    if (!text) return tl::make_unexpected(fmt::format("an array of strings is expected; it holds {}", type_name(item)));
    joined += (joined.empty() ? "" : ",") + *text;
  }
  return joined;
}

std::string dashed(std::string_view key) {
  std::string name(key);
  std::replace(name.begin(), name.end(), '_', '-');
  return name;
}

Result<GivenOption> read_key(std::string_view key, const toml::node& node, const std::string& where,
                             const std::string& folder, const CommandPage& page) {
  const std::string name = dashed(key);
  if (std::find(std::begin(kCommandLineOnly), std::end(kCommandLineOnly), name) != std::end(kCommandLineOnly)) {
    return usage_error("only on the command line", fmt::format("{}: {}", where, key));
  }
  std::vector<std::string_view> names;
  for (const BoundOption& option : page.options) {
    const std::string_view known = option.name.substr(2);
    names.push_back(known);
    if (known != name) continue;
    const ValueKind kind = kind_of_value(option.value);
    auto text = text_of(node, kind);
    if (!text) return usage_error("bad value", fmt::format("{}: {}: {}", where, key, text.error()));
    if (kind == ValueKind::kPath) *text = beside(folder, *text);
    if (kind == ValueKind::kFormats) *text = formats_beside(folder, *text);
    return GivenOption{std::string(option.name), std::move(*text), where};
  }
  return usage_error("unknown option", fmt::format("{}: {}", where, key),
                     near_hint(name, names, fmt::format("see `ravel {} --help'", page.syntax.command)));
}

}  // namespace

Result<std::vector<GivenOption>> parse_config(std::string_view text, const std::string& name, const std::string& folder,
                                              std::string_view command, std::span<const CommandPage> pages) {
  toml::table file;
  try {
    file = toml::parse(text);
  } catch (const toml::parse_error& error) {
    return usage_error("not TOML", fmt::format("{}:{}: {}", name, error.source().begin.line, error.description()));
  }
  std::vector<std::string_view> commands;
  for (const CommandPage& page : pages) {
    if (page.configured) commands.push_back(page.syntax.command);
  }
  std::vector<GivenOption> given;
  for (const auto& [section, node] : file) {
    const std::string where = fmt::format("{}:{}", name, section.source().begin.line);
    const auto page = std::find_if(pages.begin(), pages.end(), [&, &key = section](const CommandPage& one) {
      return one.configured && one.syntax.command == key.str();
    });
    const toml::table* table = node.as_table();
    if (table == nullptr) {
      return usage_error("not in a section", fmt::format("{}: {}", where, section.str()),
                         "options belong in sections named after the commands, such as [run]");
    }
    if (page == pages.end()) {
      return usage_error("unknown section", fmt::format("{}: [{}]", where, section.str()),
                         near_hint(section.str(), commands, "sections are named after the commands, such as [run]"));
    }
    for (const auto& [key, value] : *table) {
      auto option = read_key(key.str(), value, fmt::format("{}:{}", name, key.source().begin.line), folder, *page);
      if (!option) return tl::make_unexpected(option.error());
      if (page->syntax.command == command) given.push_back(std::move(*option));
    }
  }
  return given;
}

Result<std::string> find_config_file(const std::string& folder) {
  for (fs::path at = folder;; at = at.parent_path()) {
    const fs::path file = at / kConfigFile;
    struct stat about {};
    struct stat around {};
    if (stat(file.c_str(), &about) == 0 && S_ISREG(about.st_mode)) {
      const bool ours = about.st_uid == geteuid() || about.st_uid == 0;
      const bool anybody = stat(at.c_str(), &around) == 0 && (around.st_mode & S_IWOTH) != 0;
      if (!ours && anybody) {
        return usage_error("owned by another user, in a folder that everyone may write", file.string(),
                           "name it with --config, or leave it out with --no-config");
      }
      return file.string();
    }
    if (!at.has_relative_path()) return std::string();
  }
}

Result<std::vector<GivenOption>> read_config_file(const std::string& path, std::string_view command,
                                                  std::span<const CommandPage> pages) {
  std::error_code error;
  const std::uintmax_t size = fs::file_size(path, error);
  std::ifstream file(path, std::ios::binary);
  if (error || !file) {
    return usage_error("cannot read the configuration", path, error ? error.message() : std::strerror(errno));
  }
  if (size > kLargest) return usage_error("too large for a configuration", path);
  const std::string text{std::istreambuf_iterator<char>(file), std::istreambuf_iterator<char>()};
  const fs::path here = fs::current_path(error);
  fs::path folder = fs::absolute(path, error).parent_path();
  const bool beside_us = folder == here;
  return parse_config(text, beside_us ? fs::path(path).filename().string() : path,
                      beside_us ? std::string() : folder.string(), command, pages);
}

}  // namespace ravel
