// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Ravel authors
#include "cli/man_page.h"

#include <fmt/format.h>

#include <algorithm>

#include "cli/configuration.h"

namespace ravel {
namespace {

// Text as it stands: dashes that can be copied, no macro at the beginning of a line, lists that can be broken.
std::string roff(std::string_view text) {
  std::string out;
  for (const char c : text) {
    if (c == '-') {
      out += "\\-";
    } else if (c == ',') {
      out += ",\\:";
    } else if (c == '\\') {
      out += "\\e";
    } else if (c == '`') {
      out += "\\(oq";
    } else if (c == '\'') {
      out += "\\(cq";
    } else if (c == '.' && (out.empty() || out.back() == '\n')) {
      out += "\\&.";
    } else {
      out += c;
    }
  }
  return out;
}

std::string title(std::string_view name) {
  std::string upper(name);
  for (char& c : upper) {
    if (c >= 'a' && c <= 'z') c = static_cast<char>(c - 'a' + 'A');
  }
  return fmt::format(".TH {} 1 \"\" \"ravel {}\" \"User Commands\"\n.nh\n.ad l\n", roff(upper), ravel_version());
}

std::string section(std::string_view name, const std::string& text) {
  return fmt::format(".SH {}\n{}{}", name, text, text.ends_with('\n') ? "" : "\n");
}

std::string item(std::string_view tag, std::string_view text) {
  return fmt::format(".TP\n{}\n{}\n", tag, roff(text));
}

std::string bold(std::string_view text) {
  return "\\fB" + roff(text) + "\\fR";
}

// "0 no defect, 1 defect, 5 budget ended, ...": an item where a number begins.
std::string exit_status(std::string_view codes) {
  std::string text;
  while (!codes.empty()) {
    std::size_t end = 0;
    do {
      end = std::min(codes.find_first_of(",;", end + 1), codes.size());
    } while (end + 2 < codes.size() && !(codes[end + 2] >= '0' && codes[end + 2] <= '9'));
    const std::string_view one = codes.substr(0, end);
    const std::size_t number = std::min(one.find_first_not_of("0123456789"), one.size());
    text += number == 0 ? roff(one) + "\n" : item(bold(one.substr(0, number)), one.substr(number + 1));
    codes.remove_prefix(std::min(end + 2, codes.size()));
  }
  return text;
}

std::string environment() {
  return item(bold(kOptionsVariable),
              "Options of all commands as name=value, separated by colons: iterations=1000:seed=7:strategy=pct. A "
              "name that no command has is an error; one that another command has is ignored. help=1 prints "
              "the options.") +
         item(bold("NO_COLOR"), "If set, no colours are used unless --color always is given.") +
         item(bold("TMPDIR"), "Where temporary folders are made.");
}

std::string files() {
  return item(bold("ravel.toml"),
              "In the current folder or the nearest one above: options of commands, in sections named after the "
              "commands. "
              "The command line overrides RAVEL_OPTIONS, which overrides ravel.toml, which overrides the defaults; "
              "--show-config prints where each value comes from.") +
         item(bold(".ravel/"), "Plans of findings.");
}

}  // namespace

std::string man_name(std::string_view command) {
  return "ravel-" + std::string(command);
}

std::string man_page(const CommandPage& page, std::string_view description) {
  const CommandSyntax& syntax = page.syntax;
  const std::string name = man_name(syntax.command);
  std::string text = title(name);
  text += section("NAME", fmt::format("{} \\- {}", roff(name), roff(description)));
  text += section("SYNOPSIS", bold(fmt::format("ravel {}", syntax.command)) + " " + roff(syntax.usage));
  text += section("DESCRIPTION", roff(syntax.about));
  std::string options;
  for (const BoundOption& option : page.options) {
    std::string tag = bold(option.name);
    if (!option.value.empty()) tag += " \\fI" + roff(option.value) + "\\fR";
    options += item(tag, option.help);
  }
  options += item(bold("--help"), "print the options and end");
  text += section("OPTIONS", options);
  if (!syntax.exit_codes.empty()) text += section("EXIT STATUS", exit_status(syntax.exit_codes));
  if (page.configured) text += section("ENVIRONMENT", environment()) + section("FILES", files());
  return text + section("SEE ALSO", "\\fBravel\\fR(1)");
}

std::string man_overview(std::span<const CommandRow> commands) {
  std::string text = title("ravel");
  text += section("NAME", roff("ravel - finds, explains and replays the interleaving that breaks a C++ program"));
  text += section("SYNOPSIS", bold("ravel") + " \\fICOMMAND\\fR [options] ...");
  text += section("DESCRIPTION",
                  roff("Takes over the scheduling of an unmodified C++ program that uses threads, searches for the "
                       "interleaving that breaks it, shows the simplest one, and replays it at will. Build the program "
                       "with `ravel c++', then `ravel run' it."));
  std::string list;
  std::string also;
  for (const CommandRow& row : commands) {
    list += item(bold(row.name), row.description);
    also += (also.empty() ? "" : ",\n") + bold(man_name(row.name)) + "(1)";
  }
  text += section("COMMANDS", list);
  text += section("ENVIRONMENT", environment()) + section("FILES", files());
  return text + section("SEE ALSO", also);
}

}  // namespace ravel
