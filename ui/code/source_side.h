#pragma once

#include "ui/code/shown_code.h"

#include <QWidget>

class QLabel;
class QPushButton;

namespace hearth {

class Stepper;

/// A function's source with what can be done about it: which of its files, folding, the editor; and what is
/// odd about it, or why there is none, with a way to say where it is.
class SourceSide : public QWidget {
    Q_OBJECT

public:
    explicit SourceSide(QWidget *parent = nullptr);

    SourcePane *pane() const { return m_pane; }
    Stepper *files() const { return m_files; }
    QPushButton *foldButton() const { return m_fold; }
    QPushButton *findButton() const { return m_find; }
    QLabel *notice() const { return m_notice; }

    /// @param wasLookedFor whether files were read at all
    void show(const ShownCode &shown, bool wasLookedFor);
    void clear();
    bool hasText() const;
    void openInEditor(); ///< at the current line

Q_SIGNALS:
    void fileChosen(std::size_t file);
    void folderChosen(const QString &wanted, const QString &folder);
    void failed(const QString &message);

private:
    void makeParts();
    void showNotice(bool wasLookedFor);
    QStringList placesTried() const;
    void askForFolder();

    std::shared_ptr<const ShownSource> m_source;
    QLabel *m_file;
    Stepper *m_files;
    QPushButton *m_fold;
    QPushButton *m_editor;
    QWidget *m_noticeBar;
    QLabel *m_notice;
    QPushButton *m_find;
    SourcePane *m_pane;
};

} // namespace hearth
