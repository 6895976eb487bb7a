#include "app/cli/command.h"
#include "app/cli/terminal.h"
#include "app/window/window_main.h"

#include <csignal>
#include <cstdio>
#include <exception>
#include <string>
#include <vector>

int main(int argc, char **argv)
{
    std::signal(SIGPIPE, SIG_DFL); // `hearth top … | head` ends quietly
    try {
        const std::vector<std::string> words(argv + 1, argv + argc);
        if (hearth::cli::asksForWindow(words)) {
            if (hearth::hasDisplay())
                return hearth::runWindow(argc, argv, words);
            hearth::cli::complain(
                "there is no display to open a window on; hearth --help lists what works in a "
                "terminal");
            return static_cast<int>(hearth::cli::Exit::WrongUse);
        }
        const hearth::cli::Exit status = hearth::cli::run(words);
        if (std::fflush(stdout) != 0) {
            hearth::cli::complain("cannot write to standard output");
            return static_cast<int>(hearth::cli::Exit::Unreadable);
        }
        return static_cast<int>(status);
    } catch (const std::exception &failure) { // out of memory, above all
        hearth::cli::complain(std::string("gave up: ") + failure.what());
        return static_cast<int>(hearth::cli::Exit::Unreadable);
    }
}
