// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Ravel authors
#include "cli/configuration.h"

#include <fmt/format.h>

#include <algorithm>
#include <cstdlib>
#include <filesystem>

#include "cli/command.h"
#include "cli/toml_file.h"
#include "model/exit_code.h"
#include "model/text/near_names.h"

namespace ravel {
namespace {

struct NoOptions {};
constexpr OptionRow<NoOptions> kCommon[] = {
    {"--config", "FILE", "take options from FILE instead of the nearest ravel.toml", nullptr},
    {"--no-config", "", "neither ravel.toml nor RAVEL_OPTIONS", nullptr},
    {"--show-config", "", "print each option, its value and where it comes from, and end", nullptr},
};

bool is_common(std::string_view name) {
  return std::any_of(std::begin(kCommon), std::end(kCommon), [&](const auto& row) { return row.name == name; });
}

void add_common(std::vector<BoundOption>& options) {
  for (const auto& row : kCommon) options.push_back({row.name, row.value, row.help, {}, row.words});
}

// Takes the next `name=value` off; a quoted value may hold colons.
std::string_view next_item(std::string_view& text) {
  char quote = 0;
  std::size_t end = 0;
  for (; end < text.size(); ++end) {
    if (quote != 0 ? text[end] == quote : text[end] == '"' || text[end] == '\'') {
      quote = quote != 0 ? char{0} : text[end];
    } else if (quote == 0 && text[end] == ':') {
      break;
    }
  }
  const std::string_view item = text.substr(0, end);
  text.remove_prefix(std::min(end + 1, text.size()));
  return item;
}

std::string unquoted(std::string_view value) {
  const bool quoted =
      value.size() >= 2 && (value.front() == '"' || value.front() == '\'') && value.back() == value.front();
  return std::string(quoted ? value.substr(1, value.size() - 2) : value);
}

const GivenOption* last_of(std::span<const GivenOption> given, std::string_view name) {
  for (auto it = given.rbegin(); it != given.rend(); ++it) {
    if (it->name == name) return &*it;
  }
  return nullptr;
}

bool is_on(std::span<const GivenOption> given, std::string_view name) {
  const GivenOption* option = last_of(given, name);
  return option != nullptr && option->value != "false";
}

// "(default 10s)" in the help is the default.
std::string default_text(const BoundOption& option) {
  constexpr std::string_view kBegin = "(default";
  const std::size_t at = option.help.rfind(kBegin);
  if (at == std::string_view::npos) return option.value.empty() ? "off" : "-";
  std::string_view text = option.help.substr(at + kBegin.size());
  text = text.substr(std::min(text.find_first_not_of(": "), text.size()));
  return std::string(text.substr(0, text.find(')')));
}

// Values from below the command line, the least first.
Result<std::vector<GivenOption>> values_below(const CommandSyntax& syntax, std::span<const GivenOption> words) {
  std::vector<GivenOption> below;
  if (is_on(words, "--no-config")) return below;
  const std::vector<CommandPage> pages = all_pages();
  std::string path;
  if (const GivenOption* named = last_of(words, "--config")) {
    path = named->value;
  } else {
    std::error_code error;
    const auto here = std::filesystem::current_path(error);
    auto found = error ? Result<std::string>(std::string()) : find_config_file(here.string());
    if (!found) return tl::make_unexpected(found.error());
    path = *found;
  }
  if (!path.empty()) {
    auto file = read_config_file(path, syntax.command, pages);
    if (!file) return file;
    below = std::move(*file);
  }
  if (const char* variable = std::getenv(kOptionsVariable)) {
    auto given = parse_options_variable(variable, syntax.command, pages);
    if (!given) return given;
    below.insert(below.end(), given->begin(), given->end());
  }
  return below;
}

}  // namespace

CommandPage configured_page(CommandPage page) {
  page.configured = true;
  add_common(page.options);
  return page;
}

std::vector<CommandPage> all_pages() {
  std::vector<CommandPage> pages;
  for (const CommandRow& row : command_table()) pages.push_back(row.page());
  return pages;
}

Result<std::vector<GivenOption>> parse_options_variable(std::string_view text, std::string_view command,
                                                        std::span<const CommandPage> pages) {
  std::vector<GivenOption> given;
  while (!text.empty()) {
    const std::string_view item = next_item(text);
    if (item.empty()) continue;
    const std::size_t equals = std::min(item.find('='), item.size());
    std::string name = "--" + std::string(item.substr(0, equals));
    std::replace(name.begin(), name.end(), '_', '-');
    bool known = false;
    bool ours = false;
    bool flag = false;
    std::vector<std::string_view> names = {"help"};
    for (const CommandPage& page : pages) {
      if (!page.configured) continue;
      for (const BoundOption& option : page.options) {
        if (is_common(option.name)) continue;
        if (std::find(names.begin(), names.end(), option.name.substr(2)) == names.end())
          names.push_back(option.name.substr(2));
        if (option.name != name) continue;
        known = true;
        ours = ours || page.syntax.command == command;
        flag = option.value.empty();
      }
    }
    if (!known && name != "--help") {
      return usage_error("unknown option", fmt::format("{}: {}", kOptionsVariable, item.substr(0, equals)),
                         near_hint(name.substr(2), names, fmt::format("see `ravel {} --help'", command)));
    }
    if (equals == item.size() && !flag && name != "--help") {
      return usage_error("option without its value", fmt::format("{}: {}", kOptionsVariable, item),
                         "NAME=VALUE, separated by colons");
    }
    const std::string value = equals < item.size() ? unquoted(item.substr(equals + 1)) : "true";
    if (ours || name == "--help") given.push_back({std::move(name), value, kOptionsVariable});
  }
  return given;
}

std::optional<int> start_command(const CommandSyntax& syntax, const std::vector<BoundOption>& bound,
                                 const Arguments& args, CommandLine& line) {
  std::vector<BoundOption> options = bound;
  add_common(options);
  auto words = read_words(syntax, options, args);
  if (!words) return fail(words.error());
  line = std::move(*words);
  if (!line.help) {
    auto below = values_below(syntax, line.given);
    if (!below) return fail(below.error());
    line.given.insert(line.given.begin(), below->begin(), below->end());
    const GivenOption* help = last_of(line.given, "--help");
    line.help = help != nullptr && help->value != "0" && help->value != "false";
  }
  if (line.help) {
    fmt::print("{}", help_text(syntax, options));
    return kExitClean;
  }
  if (auto stored = store_options(options, line.given); !stored) return fail(stored.error());
  if (!is_on(line.given, "--show-config")) return std::nullopt;
  fmt::print("{}", configuration_text(bound, line.given));
  return kExitClean;
}

std::string configuration_text(std::span<const BoundOption> options, std::span<const GivenOption> given) {
  std::string text = fmt::format("{:<18} {:<20} {}\n", "option", "from", "value");
  for (const BoundOption& option : options) {
    const GivenOption* found = last_of(given, option.name);
    std::string value = found != nullptr ? found->value : default_text(option);
    if (found != nullptr && option.value.empty()) {
      value = value == "0" || value == "false" || value == "no" || value == "off" ? "off" : "on";
    }
    const std::string where = found == nullptr ? "default" : found->where.empty() ? "command line" : found->where;
    text += fmt::format("{:<18} {:<20} {}\n", option.name.substr(2), where, value);
  }
  return text;
}

}  // namespace ravel
