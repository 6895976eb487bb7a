#include "app/window/source_search.h"

#include "ingest/code/code_files.h"

#include <utility>

namespace hearth {

namespace {

std::vector<std::string> texts(const QStringList &list)
{
    std::vector<std::string> texts;
    for (const QString &text : list)
        texts.push_back(text.toStdString());
    return texts;
}

} // namespace

SourceSearch::SourceSearch(QObject *parent)
    : QObject(parent), m_reader(std::make_shared<CodeFiles>(m_programs, m_sources))
{}

SourceSearch::~SourceSearch() = default;

void SourceSearch::setPlaces(const QStringList &folders, const QStringList &servers,
                             const QStringList &sources)
{
    SearchPlaces programs;
    programs.folders = texts(folders);
    programs.debuginfod.servers = texts(servers);
    SourcePlaces places;
    places.places = texts(sources);
    places.debuginfod = programs.debuginfod;
    if (programs == m_programs && places == m_sources)
        return;
    m_programs = std::move(programs);
    m_sources = std::move(places);
    m_reader = std::make_shared<CodeFiles>(m_programs, m_sources);
    Q_EMIT readerChanged();
}

void SourceSearch::findIn(const QString &wanted, const QString &folder)
{
    m_worker.run([this, wanted, folder](const std::stop_token &) -> Worker::Delivery {
        const std::string path = searchedIn(folder.toStdString(), wanted.toStdString());
        if (path.empty())
            return [this, wanted, folder] {
                Q_EMIT failed(tr("There is no %1 in %2.").arg(wanted.section(QLatin1Char('/'), -1), folder));
            };
        return [this, place = QString::fromStdString(mappingBetween(wanted.toStdString(), path))] {
            Q_EMIT found(place);
        };
    });
}

} // namespace hearth
