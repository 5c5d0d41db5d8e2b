// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Ravel authors
#include "cli/options.h"

#include <fmt/format.h>

#include <CLI/CLI.hpp>
#include <algorithm>
#include <memory>

#include "cli/near_names.h"

namespace ravel {
namespace {

const BoundOption* find_option(std::span<const BoundOption> options, std::string_view word) {
  const std::string_view name = word.substr(0, word.find('='));
  for (const BoundOption& option : options) {
    if (option.name == name) return &option;
  }
  return nullptr;
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
    if (option != nullptr && !option->value.empty() && args[i].find('=') == std::string::npos) ++i;
  }
  return args;
}

}  // namespace

Result<CommandLine> parse_command_line(const CommandSyntax& syntax, std::span<const BoundOption> options,
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
    if (!option->value.empty() && words[i].find('=') == std::string::npos) {
      if (++i == words.size()) return usage_error("option without its value", std::string(option->name), see_help);
    }
  }

  CLI::App app;
  app.set_help_flag();
  std::string wrong;
  for (const BoundOption& option : options) {
    const std::string name(option.name);
    if (option.value.empty()) {
      app.add_flag_function(name, [&option](std::int64_t) { option.set(""); });
      continue;
    }
    auto store = [&option, &wrong](const std::string& value) {
      const std::string problem = option.set(value);
      if (!problem.empty() && wrong.empty()) wrong = fmt::format("{} {}: {}", option.name, value, problem);
    };
    app.add_option_function<std::string>(name, store)->take_last();
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
  if (!wrong.empty()) return usage_error("bad value", wrong);
  return line;
}

std::string help_text(const CommandSyntax& syntax, std::span<const BoundOption> options) {
  std::string text = fmt::format("usage: ravel {} {}\n\n{}\n\n", syntax.command, syntax.usage, syntax.about);
  for (const BoundOption& option : options) {
    const std::string left =
        option.value.empty() ? std::string(option.name) : fmt::format("{} {}", option.name, option.value);
    text += fmt::format("  {:<28} {}\n", left, option.help);
  }
  return text;
}

}  // namespace ravel
