#include "app/cli/command.h"
#include "app/cli/terminal.h"

#include <string>

namespace hearth::cli {

namespace {

std::string commandNames()
{
    std::string names;
    for (const Command *command : allCommands())
        names += (names.empty() ? "" : " ") + std::string(command->name);
    return names;
}

std::string optionsOf(const Command &command)
{
    std::string options = "--help";
    for (const Option &option : command.options)
        options += " --" + std::string(option.name);
    return options;
}

std::string forBash()
{
    std::string cases;
    for (const Command *command : allCommands())
        cases += "        " + std::string(command->name) + ") options='" + optionsOf(*command) + "' ;;\n";
    return "_hearth() {\n"
           "    local word=${COMP_WORDS[COMP_CWORD]} options=\n"
           "    if [ \"$COMP_CWORD\" -eq 1 ]; then\n"
           "        mapfile -t COMPREPLY < <(compgen -W '" +
           commandNames() +
           "' -- \"$word\")\n"
           "        return\n"
           "    fi\n"
           "    case ${COMP_WORDS[1]} in\n" +
           cases +
           "    esac\n"
           "    if [[ $word == -* ]]; then\n"
           "        mapfile -t COMPREPLY < <(compgen -W \"$options\" -- \"$word\")\n"
           "    else\n"
           "        mapfile -t COMPREPLY < <(compgen -f -- \"$word\")\n"
           "    fi\n"
           "}\n"
           "complete -o filenames -F _hearth hearth\n";
}

/// Text between apostrophes and brackets of zsh's _arguments.
std::string zshText(std::string_view text)
{
    std::string escaped;
    for (const char character : text) {
        if (character == '\'')
            escaped += "'\\'";
        else if (character == '[' || character == ']' || character == ':' || character == '\\')
            escaped += '\\';
        escaped += character;
    }
    return escaped;
}

std::string forZsh()
{
    std::string commands;
    std::string cases;
    for (const Command *command : allCommands()) {
        commands += "    '" + std::string(command->name) + ':' + zshText(command->summary) + "'\n";
        cases += "    " + std::string(command->name) + ")\n      _arguments \\\n";
        for (const Option &option : command->options) {
            const std::string help =
                option.sameAs.empty() ? zshText(option.help) : "the same as --" + std::string(option.sameAs);
            cases += "        '*--" + std::string(option.name) + (option.value.empty() ? "" : "=") + '[' +
                     help + ']' + (option.value.empty() ? "" : ":" + zshText(option.value)) + "' \\\n";
        }
        cases += "        '*:file:_files' ;;\n";
    }
    return "#compdef hearth\n"
           "_hearth() {\n"
           "  local -a commands=(\n" +
           commands +
           "  )\n"
           "  if (( CURRENT == 2 )); then\n"
           "    _describe command commands\n"
           "    return\n"
           "  fi\n"
           "  local command=$words[2]\n"
           "  shift words; (( CURRENT-- ))\n"
           "  case $command in\n" +
           cases +
           "  esac\n"
           "}\n"
           "compdef _hearth hearth\n";
}

Exit runCompletion(const Arguments &arguments)
{
    const std::string shell = arguments.files().size() == 1 ? arguments.files()[0] : "";
    if (shell != "bash" && shell != "zsh") {
        complain("completion needs the name of a shell: bash or zsh");
        return Exit::WrongUse;
    }
    print(shell == "bash" ? forBash() : forZsh());
    return Exit::Done;
}

} // namespace

const Command kCompletion{
    .name = "completion",
    .usage = "bash|zsh",
    .summary = "a script that teaches the shell to complete commands and options",
    .examples = "  source <(hearth completion bash)\n"
                "  source <(hearth completion zsh)\n",
    .options = {},
    .run = runCompletion,
};

} // namespace hearth::cli
