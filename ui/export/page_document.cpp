#include "ui/export/page_document.h"

#include "ui/theme/page_colors.h"

#include <QCryptographicHash>
#include <QFile>
#include <QHash>
#include <QJsonDocument>

#include <array>
#include <utility>

namespace hearth {

namespace {

QByteArray resource(const QString &name)
{
    QFile file(QStringLiteral(":/web_page/") + name);
    [[maybe_unused]] const bool isOpen = file.open(QIODevice::ReadOnly);
    Q_ASSERT(isOpen); // it is a part of the program
    return file.readAll();
}

/// In one pass, so that nothing that is put in is taken for a place.
QByteArray filled(const QByteArray &page, const QHash<QByteArray, QByteArray> &places)
{
    QByteArray text;
    const QList<QByteArray> parts = page.split('@');
    for (qsizetype i = 0; i < parts.size(); ++i)
        text += i % 2 == 0 ? parts[i] : places.value(parts[i]);
    return text;
}

QByteArray sourceHash(const QByteArray &source)
{
    return "'sha256-" + QCryptographicHash::hash(source, QCryptographicHash::Sha256).toBase64() + '\'';
}

QByteArray variables(ThemeKind kind)
{
    const Theme &theme = themeOf(kind);
    const std::array<std::pair<const char *, QColor>, 10> colors{{{"panel", theme.panel},
                                                                  {"raised", theme.raised},
                                                                  {"line", theme.line},
                                                                  {"soft", theme.soft},
                                                                  {"text", theme.text},
                                                                  {"muted", theme.muted},
                                                                  {"faint", theme.faint},
                                                                  {"accent", theme.accent},
                                                                  {"bad", theme.bad},
                                                                  {"ink", theme.ink}}};
    QByteArray text = ":root {";
    for (const auto &[name, color] : colors)
        text += QByteArray(" --") + name + ": " + color.name().toLatin1() + ';';
    return text + " }\n";
}

QByteArray pageStyle()
{
    return variables(ThemeKind::Light) + "@media (prefers-color-scheme: dark) { " +
           variables(ThemeKind::Dark) + "}\n" + resource(QStringLiteral("page.css"));
}

/// JSON that may stand in a script element: nothing in it looks like the element's end or a comment.
QByteArray embedded(const QJsonObject &data)
{
    return QJsonDocument(data).toJson(QJsonDocument::Compact).replace('<', "\\u003c").replace('>', "\\u003e");
}

} // namespace

QByteArray pageDocument(const PageWords &words, const QJsonObject &data, const QByteArray &tree)
{
    const QByteArray style = pageStyle();
    const QByteArray script = resource(QStringLiteral("page.js"));
    const auto escaped = [](const QString &text) { return text.toHtmlEscaped().toUtf8(); };
    QByteArray notes;
    for (const QString &note : words.notes)
        notes += "<li>" + escaped(note) + "</li>";
    QByteArray json = embedded(data);
    json.chop(1); // its closing brace
    return filled(resource(QStringLiteral("page.html")),
                  {{"policy", "default-src 'none'; base-uri 'none'; form-action 'none'; style-src " +
                                  sourceHash(style) + "; script-src " + sourceHash(script)},
                   {"title", escaped(words.title)},
                   {"subtitle", escaped(words.subtitle)},
                   {"notes", notes},
                   {"style", style},
                   {"script", script},
                   {"data", json + ",\"tree\":" + tree + '}'}});
}

} // namespace hearth
