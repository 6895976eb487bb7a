#include "app/workspace/workspace_text.h"

#include <QDir>

#include <cstddef>
#include <cstdint>
#include <cstdlib>

using namespace hearth;

namespace {

const QString kFolder = QStringLiteral("/srv/shop");

/// Within the folder, or where an absolute path says.
bool isSafe(const SourceFile &file, const QByteArray &text)
{
    return QDir::cleanPath(file.path) == file.path && QDir::isAbsolutePath(file.path) &&
           (file.path.startsWith(kFolder) || text.contains('/') || text.contains('\\'));
}

bool refersToWhatIsThere(const Workspace &workspace)
{
    const std::size_t count = workspace.sources.size();
    return workspace.shown.value_or(0) < std::max<std::size_t>(count, 1) &&
           (!workspace.baseline || workspace.baseline->source < count);
}

} // namespace

/// Whatever is a workspace is written as one that reads as the same, without any fault.
extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t *data, std::size_t size)
{
    const QByteArray text(reinterpret_cast<const char *>(data), static_cast<qsizetype>(size));
    const auto parsed = parseWorkspace(text, kFolder);
    if (!parsed) {
        if (parsed.error().message.empty())
            std::abort();
        return 0;
    }
    if (!refersToWhatIsThere(parsed->workspace))
        std::abort();
    for (const WorkspaceSource &source : parsed->workspace.sources)
        for (const SourceFile &file : source.files)
            if (!isSafe(file, text))
                std::abort();
    const auto again = parseWorkspace(workspaceText(parsed->workspace, kFolder), kFolder);
    if (!again || !again->problems.isEmpty() || again->workspace != parsed->workspace)
        std::abort();
    return 0;
}
