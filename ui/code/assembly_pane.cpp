#include "ui/code/assembly_pane.h"

#include "model/views/short_name.h"
#include "ui/theme/figures.h"
#include "ui/theme/theme.h"

#include <QPainter>
#include <QPolygonF>

#include <algorithm>
#include <cmath>
#include <utility>

namespace hearth {

namespace {

constexpr int kLaneWidth = 7;
constexpr int kArrowRoom = 9; ///< of what points to an instruction

QString baseName(const std::string &path)
{
    return qString(path).section(QLatin1Char('/'), -1);
}

/// Without parameters and template arguments, of which what the standard library inlines has many.
QString briefName(const Disassembly &code, const CodePlace &place)
{
    return QString::fromStdString(detailedName(code.functions[place.function], NameDetail::NoTemplates));
}

bool isNamedCall(const Instruction &instruction)
{
    return instruction.kind == InstructionKind::Call && !instruction.comment.empty();
}

QString hex(std::uint64_t number)
{
    return QString::number(number, 16);
}

} // namespace

std::int64_t ShownAssembly::lineOf(const Instruction &instruction) const
{
    const Disassembly &code = listed.disassembly;
    std::int64_t line = 0;
    for (const CodePlace &place : code.placesOf(instruction)) {
        if (!isOfFile[place.file])
            continue;
        if (code.functions[place.function] == function)
            return place.line;
        if (line == 0)
            line = place.line;
    }
    return line;
}

bool ShownAssembly::isFrom(const Instruction &instruction, std::int64_t line) const
{
    return std::ranges::any_of(listed.disassembly.placesOf(instruction), [&](const CodePlace &place) {
        return place.line == line && isOfFile[place.file];
    });
}

AssemblyPane::AssemblyPane(QWidget *parent) : CodePane(parent)
{
    setAccessibleName(tr("Instructions"));
    connect(this, &CodePane::activated, this, &AssemblyPane::follow);
}

bool AssemblyPane::show(std::shared_ptr<const ShownAssembly> code, const std::string &unit,
                        std::int64_t whole)
{
    const bool isSame = m_code && code && m_code->function == code->function &&
                        m_code->listed.occurrence.extent == code->listed.occurrence.extent;
    m_code = std::move(code);
    arrange();
    std::vector<CodeWeight> weights(m_rows.size());
    for (std::size_t row = 0; row < m_rows.size(); ++row)
        if (!m_rows[row].isHead)
            weights[row] = m_code->listed.weights[m_rows[row].instruction];
    m_lanes = 0;
    if (m_code)
        for (const JumpArrow &arrow : m_code->arrows)
            m_lanes = std::max(m_lanes, arrow.lane + 1);
    setRows(std::move(weights), unit, whole, m_code ? m_code->widest : 0);
    if (!isSame)
        setCurrentRow(-1);
    return isSame;
}

void AssemblyPane::arrange()
{
    m_rows.clear();
    m_rowOf.clear();
    m_lastLine = 0;
    const std::size_t count = m_code ? m_code->listed.disassembly.instructions.size() : 0;
    for (std::size_t i = 0; i < count; ++i) {
        const auto instruction = static_cast<std::uint32_t>(i);
        const auto places = m_code->listed.disassembly.placesOf(m_code->listed.disassembly.instructions[i]);
        if (!places.empty())
            m_lastLine = std::max(m_lastLine, places.front().line);
        if (beginsStretch(i))
            m_rows.push_back({instruction, true});
        m_rowOf.push_back(static_cast<int>(m_rows.size()));
        m_rows.push_back({instruction, false});
    }
}

/// Whether what was inlined there is not what was inlined in front of it. The line itself does not count.
bool AssemblyPane::beginsStretch(std::size_t instruction) const
{
    const Disassembly &code = m_code->listed.disassembly;
    if (instruction == 0)
        return true;
    const auto places = code.placesOf(code.instructions[instruction]);
    const auto before = code.placesOf(code.instructions[instruction - 1]);
    if (places.size() != before.size())
        return true;
    for (std::size_t i = 0; i < places.size(); ++i)
        if (places[i].function != before[i].function || (i > 0 && places[i] != before[i]))
            return true;
    return false;
}

/// "inner · inner.cpp ‹ middle.cpp:30 in middle ‹ outer.cpp:37 in outer"
QString AssemblyPane::headText(const Instruction &instruction) const
{
    const Disassembly &code = m_code->listed.disassembly;
    QString text;
    for (const CodePlace &place : code.placesOf(instruction)) {
        const QString function = briefName(code, place);
        const QString file = baseName(code.files[place.file]);
        if (!text.isEmpty())
            text += QStringLiteral(" ‹ ") + tr("%1:%2 in %3").arg(file).arg(place.line).arg(function);
        else
            text = file.isEmpty() ? function : function + QStringLiteral(" · ") + file;
    }
    return text.isEmpty() ? tr("no lines are known") : text;
}

const Instruction &AssemblyPane::instructionAt(int row) const
{
    return m_code->listed.disassembly.instructions[m_rows[static_cast<std::size_t>(row)].instruction];
}

std::int64_t AssemblyPane::currentLine() const
{
    return currentRow() < 0 || !m_code ? 0 : m_code->lineOf(instructionAt(currentRow()));
}

void AssemblyPane::link(std::int64_t line, bool reveals)
{
    std::vector<bool> linked(m_rows.size());
    int heaviest = -1;
    for (std::size_t i = 0; i < m_rows.size(); ++i) {
        const int row = static_cast<int>(i);
        linked[i] = line > 0 && !m_rows[i].isHead && m_code->isFrom(instructionAt(row), line);
        if (linked[i] && (heaviest < 0 || weightOf(row).total > weightOf(heaviest).total))
            heaviest = row;
    }
    setLinkedRows(std::move(linked));
    if (reveals && heaviest >= 0 && !isVisibleRow(heaviest))
        reveal(heaviest);
}

/// Goes where an instruction jumps; what it calls is somewhere else.
void AssemblyPane::follow(int row)
{
    const Instruction &instruction = instructionAt(row);
    if (isHead(row))
        return;
    if (instruction.target != Instruction::kNone) {
        setCurrentRow(rowOf(instruction.target));
        Q_EMIT currentChanged();
    } else if (isNamedCall(instruction)) {
        Q_EMIT callFollowed(qString(instruction.comment));
    }
}

QString AssemblyPane::textOf(int row) const
{
    const Instruction &instruction = instructionAt(row);
    if (isHead(row))
        return QStringLiteral("; ") + headText(instruction);
    const QString text = hex(instruction.address) + QStringLiteral(":  ") + qString(instruction.text);
    return instruction.comment.empty() ? text : text + QStringLiteral("  # ") + qString(instruction.comment);
}

QString AssemblyPane::describe(int row) const
{
    const Instruction &instruction = instructionAt(row);
    if (isHead(row))
        return headText(instruction).replace(QStringLiteral(" ‹ "), QStringLiteral("\n‹ "));
    constexpr std::size_t kMostPlaces = 8;
    const Disassembly &code = m_code->listed.disassembly;
    QString text =
        QStringLiteral("0x") + hex(instruction.address) + QStringLiteral(": ") + weightText(weightOf(row));
    const auto places = code.placesOf(instruction);
    for (const CodePlace &place : places.first(std::min(places.size(), kMostPlaces)))
        text += QLatin1Char('\n') + tr("%1:%2 in %3")
                                        .arg(baseName(code.files[place.file]))
                                        .arg(place.line)
                                        .arg(briefName(code, place));
    if (places.size() > kMostPlaces)
        text += QLatin1Char('\n') + tr("… and %1 more").arg(places.size() - kMostPlaces);
    if (instruction.target != Instruction::kNone)
        text += QLatin1Char('\n') + tr("Enter or a double click goes where it jumps");
    else if (isNamedCall(instruction))
        text += QLatin1Char('\n') + tr("Enter or a double click shows %1").arg(qString(instruction.comment));
    return text;
}

// ---- painting

int AssemblyPane::arrowWidth() const
{
    return m_lanes == 0 ? 0 : m_lanes * kLaneWidth + kArrowRoom;
}

int AssemblyPane::addressWidth() const
{
    if (m_rows.empty())
        return 0;
    const Instruction &last = m_code->listed.disassembly.instructions.back();
    const int head = fontMetrics().horizontalAdvance(tr("address"));
    return std::max(head, static_cast<int>(hex(last.address).size()) * digitWidth()) + 14;
}

int AssemblyPane::lineWidth() const
{
    return static_cast<int>(std::max<qsizetype>(4, QString::number(m_lastLine).size())) * digitWidth() + 14;
}

int AssemblyPane::gutterWidth() const
{
    return arrowWidth() + addressWidth() + lineWidth();
}

/// Of the gutter: arrows, addresses, lines.
QRect AssemblyPane::addressRoom(const QRect &gutter) const
{
    return {gutter.left() + arrowWidth() + 4, gutter.top(), addressWidth(), gutter.height()};
}

QRect AssemblyPane::lineRoom(const QRect &gutter) const
{
    return {gutter.right() - lineWidth(), gutter.top(), lineWidth() - 10, gutter.height()};
}

void AssemblyPane::paintGutterHead(QPainter &painter, const QRect &room) const
{
    painter.drawText(addressRoom(room), Qt::AlignLeft | Qt::AlignVCenter, tr("address"));
    painter.drawText(lineRoom(room), Qt::AlignRight | Qt::AlignVCenter, tr("line"));
}

/// Heads begin here: they have neither address nor line.
void AssemblyPane::paintGutter(QPainter &painter, const QRect &room, int row) const
{
    const Instruction &instruction = instructionAt(row);
    painter.setPen(theme().muted);
    if (isHead(row)) {
        painter.setFont(font());
        painter.drawText(addressRoom(room),
                         Qt::AlignVCenter | Qt::AlignLeft | Qt::TextSingleLine | Qt::TextDontClip,
                         headText(instruction));
        return;
    }
    painter.drawText(addressRoom(room), Qt::AlignLeft | Qt::AlignVCenter, hex(instruction.address));
    const auto places = m_code->listed.disassembly.placesOf(instruction);
    const bool isNew =
        row > 0 && (isHead(row - 1) || instructionAt(row - 1).placeBegin != instruction.placeBegin);
    if (places.empty() || places.front().line <= 0 || !isNew)
        return;
    painter.setPen(theme().faint);
    painter.drawText(lineRoom(room), Qt::AlignRight | Qt::AlignVCenter, QString::number(places.front().line));
}

void AssemblyPane::paintText(QPainter &painter, const QRect &room, int row) const
{
    const int flags = Qt::AlignVCenter | Qt::AlignLeft | Qt::TextSingleLine | Qt::TextDontClip;
    const Instruction &instruction = instructionAt(row);
    if (isHead(row))
        return;
    const QString text = qString(instruction.text);
    painter.setPen(instruction.kind == InstructionKind::Data ? theme().muted : theme().text);
    painter.drawText(room, flags, text);
    if (instruction.comment.empty())
        return;
    painter.setPen(theme().muted);
    painter.drawText(room.adjusted((static_cast<int>(text.size()) + 2) * digitWidth(), 0, 0, 0), flags,
                     QStringLiteral("# ") + shownCode(instruction.comment));
}

/// Those of the current instruction come last and in the accent's colour; they are drawn even where there
/// were too many for all.
void AssemblyPane::paintOver(QPainter &painter, const QRect &room) const
{
    if (m_rows.empty())
        return;
    const auto current = currentRow() < 0 || isHead(currentRow())
                             ? Instruction::kNone
                             : m_rows[static_cast<std::size_t>(currentRow())].instruction;
    const auto isSeen = [&](const JumpArrow &arrow) {
        return rectOf(rowOf(arrow.first())).top() <= room.bottom() &&
               rectOf(rowOf(arrow.last())).bottom() >= room.top();
    };
    painter.save();
    painter.setRenderHint(QPainter::Antialiasing);
    for (const bool ofCurrent : {false, true})
        for (const JumpArrow &arrow : m_code->arrows) {
            const bool isCurrent = arrow.from == current || arrow.to == current;
            if (isCurrent == ofCurrent && (isCurrent || arrow.lane != JumpArrow::kNoLane) && isSeen(arrow))
                paintArrow(painter, room, arrow, isCurrent);
        }
    painter.restore();
}

void AssemblyPane::paintArrow(QPainter &painter, const QRect &room, const JumpArrow &arrow,
                              bool isCurrent) const
{
    const QColor color = isCurrent ? theme().accent : theme().faint;
    const int lane = arrow.lane == JumpArrow::kNoLane ? m_lanes - 1 : arrow.lane;
    const double right = room.left() + arrowWidth() - 1;
    const double x = right - kArrowRoom - lane * kLaneWidth + 0.5;
    // What cannot be seen ends just beyond the edge: painters do not like what is far away.
    const auto heightOf = [&](std::uint32_t instruction) {
        return std::clamp(rectOf(rowOf(instruction)).center().y() + 0.5, room.top() - 10.0,
                          room.bottom() + 10.0);
    };
    const double from = heightOf(arrow.from);
    const double to = heightOf(arrow.to);
    painter.setPen(QPen(color, isCurrent ? 1.5 : 1));
    painter.drawPolyline(QPolygonF({{right, from}, {x, from}, {x, to}, {right - 3, to}}));
    painter.setPen(Qt::NoPen);
    painter.setBrush(color);
    painter.drawPolygon(QPolygonF({{right + 1, to}, {right - 4, to - 3}, {right - 4, to + 3}}));
}

} // namespace hearth
