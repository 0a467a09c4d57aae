// SPDX-License-Identifier: Apache-2.0
//
// heddle completion: what a shell needs to complete commands, options and their
// choices, made from the table of options.
#include <fmt/format.h>

#include <algorithm>
#include <cstdio>
#include <memory>

#include "cli/commands.h"
#include "cli/exit_codes.h"
#include "cli/option_table.h"
#include "cli/output.h"

namespace heddle::cli {
namespace {

// What may follow a command: its own commands, its options ("--memory=" if it takes a value), and "--memory=sc" for
// each choice.
std::vector<std::string> words_of(const CommandEntry& entry) {
  std::vector<std::string> words = entry.subcommands;
  for (const OptionEntry& option : entry.options) {
    for (const std::string& name : option.names) {
      const bool is_long = name.starts_with("--");
      words.push_back(is_long && !option.value.empty() ? name + "=" : name);
      if (is_long)
        for (const std::string& choice : option.choices) words.push_back(name + "=" + choice);
    }
  }
  return words;
}

std::string bash_script(const std::vector<CommandEntry>& table) {
  std::string cases;
  for (const CommandEntry& entry : table)
    cases += fmt::format("    \"{}\") words=\"{}\" ;;\n", entry.name, fmt::join(words_of(entry), " "));
  return "# bash completion for heddle, made by heddle completion bash\n"
         "_heddle() {\n"
         "  local line=${COMP_LINE:0:COMP_POINT} word command=\"\" words=\"\" current\n"
         "  current=${line##*[[:space:]]}\n"
         "  for word in ${line% *}; do\n"
         "    case $word in heddle | */heddle | -*) continue ;; esac\n"
         "    case \" $command\" in *\" trace\" | *\" program\" | \" \") command=\"${command:+$command }$word\" ;; "
         "esac\n"
         "  done\n"
         "  case $command in\n" +
         cases +
         "  esac\n"
         "  mapfile -t COMPREPLY < <(compgen -W \"$words\" -- \"$current\")\n"
         "  [[ $current == -* ]] || mapfile -t -O ${#COMPREPLY[@]} COMPREPLY < <(compgen -f -- \"$current\")\n"
         "  [[ $current == *=* ]] && COMPREPLY=(\"${COMPREPLY[@]#*=}\")\n"
         "  [[ ${COMPREPLY[0]:-} == *= ]] && compopt -o nospace\n"
         "}\n"
         "complete -F _heddle heddle\n";
}

// One quoted word of zsh or fish.
std::string quoted(const std::string& text) {
  std::string result = "'";
  for (const char letter : text) {
    if (letter == '\'')
      result += "'\\''";
    else
      result += letter;
  }
  return result + "'";
}

std::string zsh_script(const std::vector<CommandEntry>& table) {
  std::string cases;
  for (const CommandEntry& entry : table) {
    cases += fmt::format("    {}) choices=(", quoted(entry.name));
    for (const std::string& word : words_of(entry)) cases += quoted(word) + " ";
    cases += ") ;;\n";
  }
  return "#compdef heddle\n# made by heddle completion zsh\n"
         "_heddle() {\n"
         "  local -a words_before choices\n"
         "  local command=\"\" word\n"
         "  words_before=(${(z)LBUFFER% *})\n"
         "  for word in ${words_before[2,-1]}; do\n"
         "    [[ $word == -* ]] && continue\n"
         "    case \" $command\" in *\" trace\" | *\" program\" | \" \") command=\"${command:+$command }$word\" ;; "
         "esac\n"
         "  done\n"
         "  case $command in\n" +
         cases +
         "  esac\n"
         "  compadd -S '' -- ${(M)choices:#*=}\n"
         "  compadd -- ${choices:#*=}\n"
         "  _files\n"
         "}\n"
         "compdef _heddle heddle\n";
}

std::string fish_script(const std::vector<CommandEntry>& table) {
  std::string text = "# fish completion for heddle, made by heddle completion fish\n";
  for (const CommandEntry& entry : table) {
    const std::string condition = entry.name.empty() ? "__fish_use_subcommand"
                                                     : fmt::format("__fish_seen_subcommand_from {}",
                                                                   entry.name.substr(entry.name.rfind(' ') + 1));
    for (const std::string& name : entry.subcommands)
      text += fmt::format("complete -c heddle -n {} -a {}\n", quoted(condition), quoted(name));
    for (const OptionEntry& option : entry.options) {
      if (option.names.empty()) continue;
      text += fmt::format("complete -c heddle -n {}", quoted(condition));
      for (const std::string& name : option.names)
        text += name.starts_with("--") ? " -l " + name.substr(2) : " -s " + name.substr(1);
      if (!option.value.empty()) text += " -r";
      if (!option.choices.empty())
        text += fmt::format(" -f -a {}", quoted(fmt::format("{}", fmt::join(option.choices, " "))));
      text += fmt::format(" -d {}\n", quoted(option.description));
    }
  }
  return text;
}

}  // namespace

void add_completion_command(CLI::App& app, Action& action) {
  auto shell = std::make_shared<std::string>();
  CLI::App* command = app.add_subcommand("completion", "print what a shell needs to complete commands and options");
  command->add_option("shell", *shell, "bash, zsh or fish")
      ->required()
      ->check(CLI::IsMember({"bash", "zsh", "fish"}))
      ->type_name("SHELL");
  set_help(*command, {{{"source <(heddle completion bash)", ""}}, "", "0"});
  command->callback([&app, shell, &action] {
    action = [&app, shell] {
      const std::vector<CommandEntry> table = command_table(app);
      say("{}", *shell == "bash" ? bash_script(table) : *shell == "zsh" ? zsh_script(table) : fish_script(table));
      return kNothingFound;
    };
  });
}

}  // namespace heddle::cli
