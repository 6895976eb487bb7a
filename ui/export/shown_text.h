#pragma once

#include <QString>

#include <string_view>

namespace hearth {

/// A name as any program can show it: what is no UTF-8 becomes U+FFFD; control characters are pictured (␀);
/// what reorders or hides the text around it, or may not stand in XML, becomes U+FFFD, too; what is longer
/// than a few thousand characters is cut, and says so. Markup is not escaped.
QString shownText(std::string_view name);
QString shownText(const QString &name);

} // namespace hearth
