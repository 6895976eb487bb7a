#pragma once

#include "model/views/code_weights.h"

#include <QAbstractScrollArea>
#include <QFont>
#include <QString>

#include <cstdint>
#include <string>
#include <vector>

namespace hearth {

/// Rows of code with what they weigh: what source lines and instructions have in common. Only rows that can
/// be seen are painted, so there may be any number of them.
class CodePane : public QAbstractScrollArea {
    Q_OBJECT

public:
    static constexpr int kRowHeight = 20;
    static constexpr int kHeadHeight = 22;

    explicit CodePane(QWidget *parent = nullptr);

    int rowCount() const { return static_cast<int>(m_weights.size()); }
    int currentRow() const { return m_current; }
    void setCurrentRow(int row); ///< and brings it into view
    bool isHot(int row) const;   ///< one of the heaviest
    bool isLinked(int row) const { return m_linked[static_cast<std::size_t>(row)]; }
    QRect rectOf(int row) const; ///< in the viewport
    int rowAt(int y) const;      ///< -1: none
    void selectHot(bool forward);
    void copySelected() const;

    virtual QString textOf(int row) const = 0;
    virtual QString describe(int row) const = 0; ///< with exact numbers

Q_SIGNALS:
    void currentChanged(); ///< by the user
    void activated(int row);
    void menuRequested(const QPoint &globalPosition);
    void editorRequested();

protected:
    /// @param whole what shares are of
    /// @param widest the number of characters of the longest row
    void setRows(std::vector<CodeWeight> weights, const std::string &unit, std::int64_t whole,
                 std::size_t widest);
    /// What is current is another row now, and is seen where it was.
    void moveCurrentRow(int row);
    void setLinkedRows(std::vector<bool> linked);
    bool isVisibleRow(int row) const;
    void reveal(int row);
    QString weightText(const CodeWeight &weight) const; ///< exact
    const CodeWeight &weightOf(int row) const { return m_weights[static_cast<std::size_t>(row)]; }
    const QFont &codeFont() const { return m_codeFont; }
    int digitWidth() const;

    virtual int gutterWidth() const = 0;
    virtual void paintGutterHead(QPainter &painter, const QRect &room) const = 0;
    virtual void paintGutter(QPainter &painter, const QRect &room, int row) const = 0;
    /// @param room moves as one scrolls to the side
    virtual void paintText(QPainter &painter, const QRect &room, int row) const = 0;
    /// Of all rows, behind them. @param room of the gutter
    virtual void paintOver(QPainter &painter, const QRect &room) const;

    bool event(QEvent *event) override;
    bool viewportEvent(QEvent *event) override;
    void paintEvent(QPaintEvent *event) override;
    void resizeEvent(QResizeEvent *event) override;
    void scrollContentsBy(int dx, int dy) override;
    void changeEvent(QEvent *event) override;
    void keyPressEvent(QKeyEvent *event) override;
    void focusInEvent(QFocusEvent *event) override;
    void focusOutEvent(QFocusEvent *event) override;
    void mousePressEvent(QMouseEvent *event) override;
    void mouseMoveEvent(QMouseEvent *event) override;
    void mouseDoubleClickEvent(QMouseEvent *event) override;
    void contextMenuEvent(QContextMenuEvent *event) override;

private:
    int weightWidth() const { return m_weightWidth; }
    void measureWeights();
    int textLeft() const { return 2 * weightWidth() + gutterWidth(); }
    double heatOf(int row) const; ///< of the heaviest row
    void updateScrollBars();
    void moveTo(int row, bool extends);
    void paintHead(QPainter &painter) const;
    void paintRow(QPainter &painter, int row) const;
    void paintWeight(QPainter &painter, const QRect &room, std::int64_t value, std::int64_t heaviest) const;
    void paintHeatStrip(QPainter &painter) const;

    QFont m_codeFont;
    std::vector<CodeWeight> m_weights; ///< by row
    std::vector<bool> m_linked;
    std::string m_unit;
    std::int64_t m_whole = 0;
    CodeWeight m_heaviest;
    int m_weightWidth = 0;
    std::size_t m_widest = 0;
    int m_current = -1;
    int m_anchor = -1;   ///< where what is selected begins
    int m_toReveal = -1; ///< again, if the size changes before there is a picture
};

/// A line of code as it is painted: tabs as blanks, without what cannot be seen, no longer than anybody
/// reads.
QString shownCode(std::string_view text);

} // namespace hearth
