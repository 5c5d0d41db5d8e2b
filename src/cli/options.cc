// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Ravel authors
#include "cli/options.h"

#include <fmt/format.h>

#include <CLI/CLI.hpp>
#include <algorithm>
#include <memory>
#include <optional>

#include "model/text/near_names.h"

namespace ravel {
namespace {

constexpr std::size_t kHelpWidth = 100;

const BoundOption* find_option(std::span<const BoundOption> options, std::string_view word) {
  const std::string_view name = word.substr(0, word.find('='));
  for (const BoundOption& option : options) {
    if (option.name == name) return &option;
  }
  return nullptr;
}

// "[=P]": the value may be left out, and is then `default'.
bool has_optional_value(const BoundOption& option) {
  return option.value.starts_with("[=");
}
bool takes_next_word(const BoundOption& option, std::string_view word) {
  return !option.value.empty() && !has_optional_value(option) && word.find('=') == std::string_view::npos;
}

// Takes the program and its arguments off: they are never looked at by us.
Arguments own_words(const CommandSyntax& syntax, std::span<const BoundOption> options, const Arguments& args,
                    CommandLine& line) {
  for (std::size_t i = 0; i < args.size(); ++i) {
    if (args[i] == "--") {
      line.program.assign(args.begin() + static_cast<std::ptrdiff_t>(i) + 1, args.end());
      return Arguments(args.begin(), args.begin() + static_cast<std::ptrdiff_t>(i));
    }
    const bool is_option = args[i].size() > 1 && args[i][0] == '-';
    if (!is_option && syntax.program == ProgramStartsAt::kFirstWord) {
      line.program.assign(args.begin() + static_cast<std::ptrdiff_t>(i), args.end());
      return Arguments(args.begin(), args.begin() + static_cast<std::ptrdiff_t>(i));
    }
    const BoundOption* option = is_option ? find_option(options, args[i]) : nullptr;
    if (option != nullptr && takes_next_word(*option, args[i])) ++i;
  }
  return args;
}

std::optional<bool> truth_of(std::string_view word) {
  for (const std::string_view yes : {"", "1", "true", "yes", "on"}) {
    if (word == yes) return true;
  }
  for (const std::string_view no : {"0", "false", "no", "off"}) {
    if (word == no) return false;
  }
  return std::nullopt;
}

// Words to lines of at most kHelpWidth characters.
std::string wrapped(std::string_view text) {
  std::string out;
  std::size_t column = 0;
  while (!text.empty()) {
    const std::size_t end = std::min(text.find(' '), text.size());
    const std::string_view word = text.substr(0, end);
    if (column + word.size() >= kHelpWidth) {
      out.back() = '\n';
      column = 0;
    }
    out += std::string(word) + " ";
    column += word.size() + 1;
    text.remove_prefix(std::min(end + 1, text.size()));
  }
  if (!out.empty()) out.back() = '\n';
  return out;
}

}  // namespace

Result<CommandLine> read_words(const CommandSyntax& syntax, std::span<const BoundOption> options,
                               const Arguments& args) {
  CommandLine line;
  Arguments words = own_words(syntax, options, args, line);
  const std::string see_help = fmt::format("see `ravel {} --help'", syntax.command);
  for (std::size_t i = 0; i < words.size(); ++i) {
    if (words[i] == "--help" || words[i] == "-h") {
      line.help = true;
      return line;
    }
    if (words[i].size() < 2 || words[i][0] != '-') continue;
    const BoundOption* option = find_option(options, words[i]);
    if (option == nullptr) {
      std::vector<std::string_view> names;
      for (const BoundOption& known : options) names.push_back(known.name);
      const std::string name = words[i].substr(0, words[i].find('='));
      return usage_error("unknown option", name, near_hint(name, names, see_help));
    }
    if (has_optional_value(*option) && words[i].find('=') == std::string::npos) words[i] += "=default";
    if (takes_next_word(*option, words[i])) {
      if (++i == words.size()) return usage_error("option without its value", std::string(option->name), see_help);
    }
  }

  CLI::App app;
  app.set_help_flag();
  for (const BoundOption& option : options) {
    const std::string name(option.name);
    auto keep = [&option, &line](const std::string& value) {
      line.given.push_back({std::string(option.name), value, {}});
    };
    if (option.value.empty()) {
      app.add_flag_function(name, [keep](std::int64_t times) { keep(times > 0 ? "true" : "false"); });
    } else {
      app.add_option_function<std::string>(name, keep)->take_last();
    }
  }
  if (syntax.program == ProgramStartsAt::kDoubleDash) app.add_option("positional", line.positional);
  try {
    std::reverse(words.begin(), words.end());
    app.parse(words);
  } catch (const CLI::ParseError& error) {
    std::string text = error.what();
    std::replace(text.begin(), text.end(), '\n', ' ');
    return usage_error("cannot read the command line", text, see_help);
  }
  return line;
}

Result<void> store_options(std::span<const BoundOption> options, std::span<const GivenOption> given) {
  for (std::size_t i = 0; i < given.size(); ++i) {
    const GivenOption& one = given[i];
    const BoundOption* option = find_option(options, one.name);
    const bool again = std::any_of(given.begin() + static_cast<std::ptrdiff_t>(i) + 1, given.end(),
                                   [&](const GivenOption& later) { return later.name == one.name; });
    if (option == nullptr || !option->set || again) continue;
    const bool flag = option->value.empty();
    const auto truth = flag ? truth_of(one.value) : std::nullopt;
    if (truth == false) continue;
    const std::string problem = flag && !truth ? "true or false is expected" : option->set(flag ? "" : one.value);
    if (problem.empty()) continue;
    const std::string said = one.where.empty() ? fmt::format("{} {}", one.name, one.value)
                                               : fmt::format("{}: {} = {}", one.where, one.name.substr(2), one.value);
    return usage_error("bad value", said + ": " + problem);
  }
  return {};
}

Result<CommandLine> parse_command_line(const CommandSyntax& syntax, std::span<const BoundOption> options,
                                       const Arguments& args) {
  auto line = read_words(syntax, options, args);
  if (!line || line->help) return line;
  if (auto stored = store_options(options, line->given); !stored) return tl::make_unexpected(stored.error());
  return line;
}

ValueKind kind_of_value(std::string_view value) {
  if (value.empty()) return ValueKind::kFlag;
  if (value == "N" || value == "I" || value == "C") return ValueKind::kNumber;
  if (value == "T") return ValueKind::kTime;
  if (value == "FILE" || value == "DIR" || value == "OLD.json") return ValueKind::kPath;
  if (value == "FORMAT,...") return ValueKind::kFormats;
  return value.ends_with(",...") ? ValueKind::kList : ValueKind::kWord;
}

std::string help_text(const CommandSyntax& syntax, std::span<const BoundOption> options) {
  std::string text = fmt::format("usage: ravel {} {}\n\n{}", syntax.command, syntax.usage, wrapped(syntax.about));
  if (!syntax.exit_codes.empty()) text += wrapped(fmt::format("Exit codes: {}.", syntax.exit_codes));
  if (!options.empty()) text += "\n";
  for (const BoundOption& option : options) {
    const std::string left = option.value.empty() || has_optional_value(option)
                                 ? fmt::format("{}{}", option.name, option.value)
                                 : fmt::format("{} {}", option.name, option.value);
    text += fmt::format("  {:<28} {}\n", left, option.help);
  }
  return text;
}

}  // namespace ravel
