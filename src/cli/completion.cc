// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Ravel authors
#include "cli/completion.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <set>

namespace ravel {
namespace {

// In single quotes for any of the three shells: what is inside is never looked at but for the quote itself.
std::string in_quotes(std::string_view text) {
  std::string out = "'";
  for (const char c : text) {
    if (c == '\'') {
      out += "'\\''";
    } else {
      out += c;
    }
  }
  return out + "'";
}

std::string joined(const std::vector<std::string>& words) {
  return fmt::format("{}", fmt::join(words, " "));
}

std::vector<std::string> words_of(const BoundOption& option) {
  return option.words == nullptr ? std::vector<std::string>{} : option.words();
}

bool is_list(const BoundOption& option) {
  const ValueKind kind = kind_of_value(option.value);
  return kind == ValueKind::kList || kind == ValueKind::kFormats;
}

// What a case of bash completes the value of `option` with.
std::string bash_values(const BoundOption& option) {
  if (option.words != nullptr)
    return fmt::format("_ravel_{} {}", is_list(option) ? "list" : "words", in_quotes(joined(words_of(option))));
  const bool path = kind_of_value(option.value) == ValueKind::kPath;
  return path ? option.value == "DIR" ? "_ravel_files -d" : "_ravel_files -f" : "COMPREPLY=()";
}

// The help of an option inside [...] of zsh's _arguments.
std::string zsh_text(std::string_view text) {
  std::string out;
  for (const char c : text) {
    if (c == '[' || c == ']' || c == ':' || c == '\\') out += '\\';
    out += c;
  }
  return out;
}

std::string zsh_action(const BoundOption& option) {
  if (option.words != nullptr) {
    std::string words = joined(words_of(option));
    return is_list(option) ? "_sequence compadd - " + words : "(" + words + ")";
  }
  if (kind_of_value(option.value) != ValueKind::kPath) return " ";
  return option.value == "DIR" ? "_files -/" : "_files";
}

// With the names of commands, a case per command, and a case per option with a value.
constexpr std::string_view kBashScript = R"(# Completion of ravel for bash, written by `ravel completion bash'.
_ravel_words() {{ mapfile -t COMPREPLY < <(compgen -W "$1" -- "$cur"); }}
_ravel_list() {{
  local before=
  [[ $cur == *,* ]] && before=${{cur%,*}},
  mapfile -t COMPREPLY < <(compgen -P "$before" -W "$1" -- "${{cur##*,}}")
  compopt -o nospace 2>/dev/null
}}
_ravel_files() {{
  mapfile -t COMPREPLY < <(compgen "$1" -- "$cur")
  compopt -o filenames 2>/dev/null
}}
_ravel() {{
  local cur=${{COMP_WORDS[COMP_CWORD]}} prev=${{COMP_WORDS[COMP_CWORD-1]}} options valued arguments ends i
  COMPREPLY=()
  if ((COMP_CWORD == 1)); then
    _ravel_words {0}
    return
  fi
  case ${{COMP_WORDS[1]}} in
{1}    *) return ;;
  esac
  for ((i = 2; i < COMP_CWORD; ++i)); do
    case ${{COMP_WORDS[i]}} in
    --) _ravel_files -f; return ;;
    =) ((i += 1)) ;;
    -*) [[ " $valued " == *" ${{COMP_WORDS[i]}} "* && ${{COMP_WORDS[i+1]}} != = ]] && ((i += 1)) ;;
    *) if [[ $ends == word ]]; then _ravel_files -f; return; fi ;;
    esac
  done
  # `--name=value' comes as three words.
  if [[ $cur == = ]]; then
    cur=
  elif [[ $prev == = ]]; then
    prev=${{COMP_WORDS[COMP_CWORD-2]}}
  fi
  if [[ " $valued " == *" $prev "* ]]; then
    case $prev in
{2}    esac
  elif [[ $cur == -* ]]; then
    _ravel_words "$options"
  elif [[ $arguments ]]; then
    _ravel_words "$arguments"
  else
    _ravel_files -f
  fi
}}
complete -F _ravel ravel
)";

}  // namespace

std::vector<std::string> argument_words(const CommandSyntax& syntax) {
  std::vector<std::string> words;
  std::string_view usage = syntax.usage;
  // "bash|zsh|fish": small letters only; names of arguments are written large.
  const std::string_view first = usage.substr(0, usage.find(' '));
  if (first.find('|') == std::string_view::npos || first.find_first_not_of("abcdefghijklmnopqrstuvwxyz|") != first.npos)
    return words;
  for (std::size_t at = 0; at <= first.size();) {
    const std::size_t end = std::min(first.find('|', at), first.size());
    words.emplace_back(first.substr(at, end - at));
    at = end + 1;
  }
  return words;
}

std::string bash_completion(std::span<const CommandRow> commands, std::span<const CommandPage> pages) {
  std::vector<std::string> names;
  for (const CommandRow& row : commands) names.emplace_back(row.name);
  std::string cases;
  std::string values;
  std::set<std::string_view> seen;
  for (const CommandPage& page : pages) {
    std::vector<std::string> options = {"--help"};
    std::vector<std::string> valued;
    for (const BoundOption& option : page.options) {
      options.emplace_back(option.name);
      if (option.value.empty()) continue;
      valued.emplace_back(option.name);
      if (seen.insert(option.name).second) values += fmt::format("    {}) {} ;;\n", option.name, bash_values(option));
    }
    cases += fmt::format("    {}) options={} valued={} arguments={} ends={} ;;\n", page.syntax.command,
                         in_quotes(joined(options)), in_quotes(joined(valued)),
                         in_quotes(joined(argument_words(page.syntax))),
                         page.syntax.program == ProgramStartsAt::kFirstWord ? "word" : "--");
  }
  return fmt::format(kBashScript, in_quotes(joined(names)), cases, values);
}

std::string zsh_completion(std::span<const CommandRow> commands, std::span<const CommandPage> pages) {
  std::string text = "#compdef ravel\n# Completion of ravel for zsh, written by `ravel completion zsh'.\n_ravel() {\n";
  text += "  local -a commands=(\n";
  for (const CommandRow& row : commands)
    text += fmt::format("    {}\n", in_quotes(fmt::format("{}:{}", row.name, row.description)));
  text +=
      "  )\n  if (( CURRENT == 2 )); then\n    _describe command commands\n    return\n  fi\n"
      "  shift words\n  (( CURRENT-- ))\n  case $words[1] in\n";
  for (const CommandPage& page : pages) {
    text +=
        fmt::format("  {})\n    _arguments -S {} \\\n", page.syntax.command, in_quotes("--help[print the options]"));
    for (const BoundOption& option : page.options) {
      std::string spec = fmt::format("{}{}[{}]", option.name, option.value.empty() ? "" : "=", zsh_text(option.help));
      if (!option.value.empty()) spec += fmt::format(":{}:{}", zsh_text(option.value), zsh_action(option));
      text += "      " + in_quotes(spec) + " \\\n";
    }
    const std::vector<std::string> words = argument_words(page.syntax);
    const std::string rest = page.syntax.program == ProgramStartsAt::kFirstWord
                                 ? "'(-)1:program:_files' '*::arguments:_files'"
                                 : "'*:file:_files'";
    text += "      " + (words.empty() ? rest : in_quotes(fmt::format("1:what:({})", joined(words)))) + "\n    ;;\n";
  }
  return text + "  esac\n}\n[[ $funcstack[1] == _ravel ]] && _ravel \"$@\" || compdef _ravel ravel\n";
}

std::string fish_completion(std::span<const CommandRow> commands, std::span<const CommandPage> pages) {
  std::string text = "# Completion of ravel for fish, written by `ravel completion fish'.\ncomplete -c ravel -f\n";
  for (const CommandRow& row : commands) {
    text += fmt::format("complete -c ravel -n __fish_use_subcommand -a {} -d {}\n", in_quotes(row.name),
                        in_quotes(row.description));
  }
  for (const CommandPage& page : pages) {
    const std::string begin = fmt::format("complete -c ravel -n '__fish_seen_subcommand_from {}'", page.syntax.command);
    const std::vector<std::string> words = argument_words(page.syntax);
    text += begin + (words.empty() ? std::string(" -F") : " -a " + in_quotes(joined(words))) + "\n";
    text += begin + " -l help -d 'print the options'\n";
    for (const BoundOption& option : page.options) {
      text += fmt::format("{} -l {} -d {}", begin, option.name.substr(2), in_quotes(option.help));
      const bool path = kind_of_value(option.value) == ValueKind::kPath;
      if (!option.value.empty()) text += path ? " -r -F" : " -x";
      if (option.words != nullptr) {
        const std::string list = joined(words_of(option));
        text += " -a " + in_quotes(is_list(option) ? "(__fish_append , " + list + ")" : list);
      }
      text += "\n";
    }
  }
  return text;
}

}  // namespace ravel
