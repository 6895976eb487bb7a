#pragma once

#include <QString>
#include <QStringList>
#include <QWidget>

namespace hearth {

/// Some lines of a source file.
struct SourceLines {
    int first = 0; ///< number of the first one
    QStringList lines;
};

/// The lines around one, if the file is on this machine and is no larger than source files are.
SourceLines sourceAround(const QString &file, qint64 line);

/// Shows where a function begins, without wrapping or scrolling.
class SourcePeek : public QWidget {
    Q_OBJECT

public:
    explicit SourcePeek(QWidget *parent = nullptr);

    /// @param marked the number of the line to be marked
    void show(const SourceLines &source, qint64 marked);

Q_SIGNALS:
    void clicked();

protected:
    void mouseReleaseEvent(QMouseEvent *event) override;
    void paintEvent(QPaintEvent *event) override;

private:
    SourceLines m_source;
    qint64 m_marked = 0;
};

} // namespace hearth
