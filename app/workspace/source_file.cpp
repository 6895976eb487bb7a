#include "app/workspace/source_file.h"

#include "ingest/formats/format.h"

#include <QCryptographicHash>
#include <QFile>
#include <QFileInfo>

#include <algorithm>

namespace hearth {

namespace {

constexpr qint64 kEnd = 64 << 10;   ///< of a file, for its digest
constexpr qint64 kHead = 256 << 10; ///< by which files are recognised
constexpr qsizetype kDigestLength = 32;

/// Opens what can be read from its beginning to its end: no device, no pipe.
bool openToRead(QFile &file)
{
    return QFileInfo(file).isFile() && file.open(QIODevice::ReadOnly);
}

} // namespace

SourceFile sourceFile(const QString &path)
{
    SourceFile known{.path = QFileInfo(path).absoluteFilePath()};
    QFile file(path);
    if (!openToRead(file))
        return known;
    known.size = file.size();
    QCryptographicHash hash(QCryptographicHash::Sha256);
    hash.addData(file.read(kEnd));
    if (file.seek(std::max(file.pos(), known.size - kEnd)))
        hash.addData(file.read(kEnd));
    known.digest = hash.result().toHex().left(kDigestLength);
    return known;
}

SourceState stateOf(const SourceFile &file)
{
    const SourceFile now = sourceFile(file.path);
    if (now.size < 0)
        return SourceState::Gone;
    const bool isSame =
        (file.size < 0 || file.size == now.size) && (file.digest.isEmpty() || file.digest == now.digest);
    return isSame ? SourceState::Same : SourceState::Changed;
}

bool isWorkspace(const QString &path)
{
    QFile file(path);
    if (!openToRead(file))
        return false;
    const QByteArray head = file.read(kHead);
    const std::span bytes(reinterpret_cast<const std::uint8_t *>(head.data()),
                          static_cast<std::size_t>(head.size()));
    const Recognition known = recognise(bytes, head.size() < kHead);
    return known.isWorkspace() || (known.format == nullptr && path.endsWith(QLatin1String(".hearth")));
}

} // namespace hearth
