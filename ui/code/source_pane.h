#pragma once

#include "model/code/listed_code.h"
#include "ui/code/code_pane.h"

#include <cstdint>
#include <memory>
#include <vector>

namespace hearth {

/// What a SourcePane shows.
struct ShownSource {
    std::shared_ptr<const CodeWeights> weights; ///< which own the texts
    ListedSource listed;
    std::int64_t firstLine = 0; ///< of the function; 0: nobody knows
    std::size_t widest = 0;     ///< characters of the longest line
};

/// A source file with what its lines weigh. Where nothing weighs for long, lines are folded.
class SourcePane : public CodePane {
    Q_OBJECT

public:
    explicit SourcePane(QWidget *parent = nullptr);

    /// What is current stays so, if it is the same file.
    void show(std::shared_ptr<const ShownSource> source, const std::string &unit, std::int64_t whole);
    void setFolding(bool isFolding);
    bool isFolded(int row) const { return m_rows[static_cast<std::size_t>(row)].isFold(); }

    std::int64_t currentLine() const; ///< 0: none
    /// Marks a line; 0: none. @param reveals and brings it into view, out of what is folded if need be
    void link(std::int64_t line, bool reveals);
    void goToLine(std::int64_t line);
    std::int64_t heaviestLine() const; ///< 0: none
    QString textOf(int row) const override;
    QString describe(int row) const override;

protected:
    int gutterWidth() const override;
    void paintGutterHead(QPainter &painter, const QRect &room) const override;
    void paintGutter(QPainter &painter, const QRect &room, int row) const override;
    void paintText(QPainter &painter, const QRect &room, int row) const override;

private:
    /// A line, or lines that are folded.
    struct Row {
        LineRange lines;
        bool isFold() const { return lines.first != lines.last; }
    };

    void arrange();
    void unfold(int row);
    std::vector<LineRange> unfolded() const;
    int rowOf(std::int64_t line) const; ///< -1: none
    std::int64_t lineCount() const;
    std::string_view lineText(std::int64_t line) const;

    std::shared_ptr<const ShownSource> m_source;
    std::string m_unit;
    std::int64_t m_whole = 0;
    bool m_isFolding = true;
    std::vector<LineRange> m_opened; ///< that were folded before
    std::vector<Row> m_rows;
};

} // namespace hearth
