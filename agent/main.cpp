#include "agent/options.h"
#include "agent/session/session.h"

#include <malloc.h>

#include <cstdio>
#include <exception>

namespace {

constexpr int kFailed =
    125; ///< as env and timeout have it, so that it is no status of the command that is followed

/// What is read of files is large and short-lived: it is to go back to the system, not to stay for the next
/// time.
void giveMemoryBack()
{
    constexpr int kLargePiece = 128 * 1024;
    mallopt(M_MMAP_THRESHOLD, kLargePiece);
    mallopt(M_TRIM_THRESHOLD, kLargePiece);
    mallopt(M_ARENA_MAX, 2);
}

int complain(const std::string &message)
{
    std::fprintf(stderr, "hearth-agent: %s\n", message.c_str());
    return kFailed;
}

} // namespace

int main(int argc, char **argv)
{
    giveMemoryBack();
    try {
        const auto options = hearth::agent::parseOptions(argc, argv);
        if (!options)
            return complain(options.error().message);
        if (options->wantsHelp || options->wantsVersion) {
            std::fputs(options->wantsHelp ? hearth::agent::helpText().c_str()
                                          : "hearth-agent " HEARTH_VERSION "\n",
                       stdout);
            return 0;
        }
        const auto status = hearth::agent::runSession(*options);
        return status ? *status : complain(status.error().message);
    } catch (const std::exception &failure) { // out of memory, above all
        return complain(std::string("gave up: ") + failure.what());
    }
}
