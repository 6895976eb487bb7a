#pragma once

#include "model/code/listed_code.h"
#include "ui/code/code_pane.h"
#include "ui/code/jump_arrows.h"

#include <cstdint>
#include <memory>
#include <vector>

namespace hearth {

/// What an AssemblyPane shows.
struct ShownAssembly {
    ListedCode listed;
    std::string function;       ///< that is looked at, which may be inlined there
    std::vector<bool> isOfFile; ///< by file of the disassembly: whether it is that of the source at its side
    std::vector<JumpArrow> arrows;
    std::size_t widest = 0; ///< characters of the longest row

    /// The line of the file that an instruction is from, that of the function if it is; 0: none.
    std::int64_t lineOf(const Instruction &instruction) const;
    bool isFrom(const Instruction &instruction, std::int64_t line) const;
};

/// The instructions of a function with what they weigh, a head above each stretch that was inlined from
/// elsewhere, and arrows where they jump.
class AssemblyPane : public CodePane {
    Q_OBJECT

public:
    static constexpr int kMostLanes = 6;

    explicit AssemblyPane(QWidget *parent = nullptr);

    /// What is current stays so, if it is the same function, at the same place. @return whether it is
    bool show(std::shared_ptr<const ShownAssembly> code, const std::string &unit, std::int64_t whole);
    const ShownAssembly *shown() const { return m_code.get(); }

    bool isHead(int row) const { return m_rows[static_cast<std::size_t>(row)].isHead; }
    int rowOf(std::uint32_t instruction) const { return m_rowOf[instruction]; }
    const Instruction &instructionAt(int row) const; ///< or the one below a head
    std::int64_t currentLine() const;                ///< of the file; 0: none
    /// Marks what is from a line. @param reveals and brings the heaviest of it into view
    void link(std::int64_t line, bool reveals);
    QString textOf(int row) const override;
    QString describe(int row) const override;

Q_SIGNALS:
    /// An instruction that calls was activated.
    void callFollowed(const QString &function);

protected:
    int gutterWidth() const override;
    void paintGutterHead(QPainter &painter, const QRect &room) const override;
    void paintGutter(QPainter &painter, const QRect &room, int row) const override;
    void paintText(QPainter &painter, const QRect &room, int row) const override;
    void paintOver(QPainter &painter, const QRect &room) const override;

private:
    struct Row {
        std::uint32_t instruction = 0;
        bool isHead = false; ///< says whose code follows
    };

    void arrange();
    void follow(int row);
    bool beginsStretch(std::size_t instruction) const;
    QString headText(const Instruction &instruction) const;
    int arrowWidth() const;
    int addressWidth() const;
    int lineWidth() const;
    QRect addressRoom(const QRect &gutter) const;
    QRect lineRoom(const QRect &gutter) const;
    void paintArrow(QPainter &painter, const QRect &room, const JumpArrow &arrow, bool isCurrent) const;

    std::shared_ptr<const ShownAssembly> m_code;
    std::vector<Row> m_rows;
    std::vector<int> m_rowOf; ///< by instruction
    int m_lanes = 0;
    std::int64_t m_lastLine = 0; ///< the largest number
};

} // namespace hearth
