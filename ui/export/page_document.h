#pragma once

#include <QByteArray>
#include <QJsonObject>
#include <QString>
#include <QStringList>

namespace hearth {

/// What is said of a page's picture in words.
struct PageWords {
    QString title;
    QString subtitle;
    QStringList notes;
};

/// The page resources/web_page/page.html with its style, script and data. Its policy allows these and no
/// request. What the data are, is said at the head of page.js.
/// @param tree JSON of numbers; it is not looked at again, being large
QByteArray pageDocument(const PageWords &words, const QJsonObject &data, const QByteArray &tree);

} // namespace hearth
